package io.remuda.agent.keeper.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeeperSilenceDetectorTest {

  private final KeeperSilenceDetector rule = new KeeperSilenceDetector(3000);

  private boolean ticks(int count, boolean owes) {
    boolean silent = false;
    for (int i = 0; i < count; i++) {
      silent = rule.tick(owes);
    }
    return silent;
  }

  @Test
  void a_keeper_that_owes_nothing_is_never_silent() {
    assertFalse(ticks(1000, false));
  }

  @Test
  void it_is_silent_when_it_has_owed_answers_for_longer_than_the_timeout() {
    assertFalse(ticks(10, true));
    assertTrue(ticks(1, true));
    assertEquals(3300, rule.millis());
  }

  @Test
  void an_answer_ends_the_silence_and_says_whether_it_was_long() {
    ticks(11, true);
    assertTrue(rule.heard());
    assertFalse(rule.heard());
    assertFalse(ticks(10, true));
  }

  @Test
  void a_keeper_that_runs_is_waited_for_unless_a_kill_is_unanswered_for_ten_timeouts() {
    ticks(100, true);
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, false, true));
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, true, false));
    ticks(1, true);
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, false, true));
    assertInstanceOf(
        KeeperUnresponsiveException.class,
        rule.verdict(KeeperProcessHandle.State.LIVES, true, false).orElseThrow());
  }

  @Test
  void one_that_has_ended_is_gone() {
    assertEquals(
        "the keeper has ended",
        rule.verdict(KeeperProcessHandle.State.GONE, false, false).orElseThrow().getMessage());
  }

  @Test
  void one_that_is_stopped_has_a_minute() {
    ticks(200, true);
    assertEquals(60_000, rule.millis());
    assertEquals(Optional.empty(), stopped(false));
    ticks(1, true);
    assertInstanceOf(KeeperUnresponsiveException.class, stopped(false).orElseThrow());
  }

  @Test
  void one_that_is_stopped_is_given_up_when_a_contact_deadline_has_passed() {
    ticks(11, true);
    assertEquals(Optional.empty(), stopped(false));
    assertInstanceOf(KeeperUnresponsiveException.class, stopped(true).orElseThrow());
  }

  @Test
  void one_that_is_stopped_and_is_to_end_a_task_has_half_a_minute() {
    ticks(100, true);
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.STOPPED, true, false));
    ticks(1, true);
    assertTrue(rule.verdict(KeeperProcessHandle.State.STOPPED, true, false).isPresent());
  }

  @Test
  void contact_deadlines_count_from_their_last_renewal() {
    SentLeases leases = new SentLeases();
    leases.renewed(List.of("a", "b"), 5000, 1000);
    leases.renewed(List.of("a"), 5000, 4000);
    leases.renewed(List.of("b"), 0, 4000);
    assertFalse(leases.hasPassed(8999));
    assertTrue(leases.hasPassed(9000));
    leases.ended(List.of("a"));
    assertFalse(leases.hasPassed(9000));
  }

  private Optional<Exception> stopped(boolean expired) {
    return rule.verdict(KeeperProcessHandle.State.STOPPED, false, expired);
  }
}
