package io.remuda.coordinator.history;

import java.util.Arrays;

/**
 * What a coarse point keeps of its values: mean, minimum, maximum and 95th percentile. All but the
 * mean are stored as their distance from it, which is small where the values are steady.
 */
final class PointStatistics {

  /** Stored columns: mean, mean minus minimum, maximum minus mean, percentile minus mean. */
  static final int COLUMNS = 4;

  static final int MEAN = 0;
  static final int BELOW = 1;
  static final int ABOVE = 2;
  static final int P95 = 3;

  private static final double SHARE = 0.95;

  private PointStatistics() {}

  /**
   * Computes a point.
   *
   * @param values some of which may be absent; their order is changed
   * @param count of values, from the first
   * @param into the stored columns
   */
  static void of(int[] values, int count, int[] into) {
    int present = 0;
    long sum = 0;
    for (int index = 0; index < count; index++) {
      int value = values[index];
      if (value != HistoryMetric.ABSENT) {
        values[present++] = value;
        sum += value;
      }
    }
    if (present == 0) {
      Arrays.fill(into, 0, COLUMNS, HistoryMetric.ABSENT);
      return;
    }
    Arrays.sort(values, 0, present);
    int mean = (int) Math.round((double) sum / present);
    into[MEAN] = mean;
    into[BELOW] = mean - values[0];
    into[ABOVE] = values[present - 1] - mean;
    into[P95] = values[(int) Math.ceil(SHARE * present) - 1] - mean; // nearest rank
  }
}
