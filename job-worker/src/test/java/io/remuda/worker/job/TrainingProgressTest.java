package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TrainingProgressTest {

  @Test
  void the_longest_epoch_decides_how_long_leaving_may_take() {
    assertEquals(600_000, TrainingProgress.after(3, 0).patienceMillis(), "none is known");
    TrainingProgress told = TrainingProgress.after(3, 0).done(4, 60_000, 1).done(5, 40_000, 2);
    assertEquals(40_000, told.epochMillis());
    assertEquals(120_000, told.patienceMillis());
  }

  @Test
  void an_epoch_of_unknown_duration_leaves_the_last_one_known() {
    TrainingProgress told = TrainingProgress.NONE.done(1, 7000, 1).done(2, 0, 2);
    assertEquals(2, told.epochsDone());
    assertEquals(7000, told.epochMillis());
  }

  @Test
  void what_the_node_has_measured_replaces_what_the_training_has_seen() {
    TrainingProgress told = TrainingProgress.NONE.measured(0.25, 300).measured(0.5, 200);
    assertEquals(300, told.gpuMiB(), "the most");
    assertEquals(0.5, told.stepSeconds(), "the newest");
    TrainingProgress seen = told.seen(1L << 30, 90);
    assertEquals(1024, seen.gpuMiB());
    assertEquals(90, seen.utilPercent());
  }

  @Test
  void impossible_numbers_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> TrainingProgress.after(-1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new TrainingProgress(1, -5, 0, 0, 0, false, null, null, null));
  }
}
