package io.remuda.telemetry.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RollingWindowTest {
  private final RollingWindow window = new RollingWindow(Duration.ofSeconds(10), 3);

  @Test
  void an_empty_window_has_no_mean() {
    assertEquals(0, window.rollup(0).count());
    assertTrue(Double.isNaN(window.rollup(0).mean()));
  }

  @Test
  void values_are_rolled_up_until_their_bucket_leaves() {
    window.add(0, 10);
    window.add(9_000, 30);
    window.add(12_000, 50);
    Rollup all = window.rollup(29_999);
    assertEquals(new Rollup(3, 10, 50, 90, 50), all);
    assertEquals(30, all.mean());
    assertEquals(new Rollup(1, 50, 50, 50, 50), window.rollup(30_000));
    assertEquals(Rollup.EMPTY, window.rollup(40_000));
  }

  @Test
  void a_missing_value_counts_for_nothing() {
    window.add(0, null);
    assertEquals(0, window.rollup(0).count());
  }

  @Test
  void merging_keeps_the_last_value_of_the_later_part() {
    Rollup early = Rollup.EMPTY.plus(5).plus(1);
    Rollup late = Rollup.EMPTY.plus(7);
    assertEquals(new Rollup(3, 1, 7, 13, 7), early.merge(late));
    assertEquals(early, early.merge(Rollup.EMPTY));
    assertEquals(early, Rollup.EMPTY.merge(early));
  }
}
