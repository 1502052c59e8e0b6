package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.slurm.AllocationEndWatcher.AllocationDeadline;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationDeadlineTest {
  private static final Duration MARGIN = Duration.ofSeconds(60);

  private final AllocationDeadline deadline = new AllocationDeadline(MARGIN);
  private long now = -5; // a monotonic clock may be below 0

  private void after(Duration time) {
    now += time.toNanos();
  }

  private void learn(Duration left) {
    deadline.learn(Optional.of(left), now);
  }

  @Test
  void a_server_ends_when_the_margin_is_left() {
    learn(Duration.ofMinutes(10));
    after(Duration.ofMinutes(9).minusSeconds(1));
    assertFalse(deadline.isDue(now));
    after(Duration.ofSeconds(1));
    assertTrue(deadline.isDue(now));
  }

  @Test
  void without_a_limit_it_never_ends_and_slurm_is_asked_once_a_minute() {
    deadline.learn(Optional.empty(), now);
    after(Duration.ofDays(400));
    assertFalse(deadline.isDue(now));
    assertEquals(Duration.ofMinutes(1), deadline.untilNextLook(true, now));
  }

  @Test
  void a_limit_that_is_raised_counts() {
    learn(Duration.ofSeconds(90));
    after(Duration.ofSeconds(20));
    learn(Duration.ofHours(1));
    after(Duration.ofSeconds(20));
    assertFalse(deadline.isDue(now));
  }

  @Test
  void the_last_question_comes_exactly_at_the_margin() {
    learn(Duration.ofSeconds(85));
    assertEquals(Duration.ofSeconds(25), deadline.untilNextLook(true, now));
  }

  @Test
  void what_slurm_said_last_counts_while_it_is_silent() {
    learn(Duration.ofSeconds(100));
    after(Duration.ofSeconds(20));
    assertEquals(AllocationDeadline.LOOK_AGAIN, deadline.untilNextLook(false, now));
    after(Duration.ofSeconds(20));
    assertTrue(deadline.isDue(now));
  }

  @Test
  void a_limit_shorter_than_the_margin_is_due_at_once() {
    learn(Duration.ofSeconds(30));
    assertTrue(deadline.isDue(now));
  }
}
