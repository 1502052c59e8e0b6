package io.remuda.coordinator.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {

  @Test
  void a_bound_belongs_to_what_it_bounds() {
    DurationHistogram histogram = new DurationHistogram(1, 5);
    for (int seconds : new int[] {0, 1, 2, 5, 6}) {
      histogram.observe(TimeUnit.SECONDS.toNanos(seconds));
    }
    assertEquals(
        new DurationHistogram.Reading(List.of(1.0, 5.0), List.of(2L, 2L, 1L), 14.0),
        histogram.reading());
  }

  @Test
  void a_clock_that_goes_back_takes_nothing_away() {
    DurationHistogram histogram = new DurationHistogram(1);
    histogram.observe(-5);
    assertEquals(0, histogram.reading().sumSeconds());
    assertEquals(List.of(1L, 0L), histogram.reading().counts());
  }
}
