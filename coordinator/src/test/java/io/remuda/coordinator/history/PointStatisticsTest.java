package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointStatisticsTest {

  private static final int ABSENT = HistoryMetric.ABSENT;

  private static int[] of(int... values) {
    int[] point = new int[PointStatistics.COLUMNS];
    PointStatistics.of(values, values.length, point);
    return point;
  }

  @Test
  void mean_and_the_distances_of_minimum_maximum_and_95th_percentile_from_it() {
    int[] minute = IntStream.rangeClosed(1, 60).map(value -> 61 - value).toArray();
    assertArrayEquals(new int[] {31, 30, 29, 57 - 31}, of(minute)); // the mean is 30.5
    assertArrayEquals(new int[] {7, 0, 0, 0}, of(7));
  }

  @Test
  void absent_values_do_not_count_and_of_none_all_is_absent() {
    assertArrayEquals(new int[] {20, 10, 10, 10}, of(ABSENT, 30, ABSENT, 10));
    assertArrayEquals(new int[] {ABSENT, ABSENT, ABSENT, ABSENT}, of(ABSENT, ABSENT));
  }
}
