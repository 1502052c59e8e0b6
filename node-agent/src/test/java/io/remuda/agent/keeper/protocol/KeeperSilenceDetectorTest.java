package io.remuda.agent.keeper.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.proc.KeeperProcessHandle;
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
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, false));
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, true));
    ticks(1, true);
    assertEquals(Optional.empty(), rule.verdict(KeeperProcessHandle.State.LIVES, false));
    assertInstanceOf(
        KeeperUnresponsiveException.class,
        rule.verdict(KeeperProcessHandle.State.LIVES, true).orElseThrow());
  }

  @Test
  void one_that_has_ended_is_gone_and_one_that_is_stopped_can_end_no_task() {
    assertEquals(
        "the keeper has ended",
        rule.verdict(KeeperProcessHandle.State.GONE, false).orElseThrow().getMessage());
    assertInstanceOf(
        KeeperUnresponsiveException.class,
        rule.verdict(KeeperProcessHandle.State.STOPPED, false).orElseThrow());
  }
}
