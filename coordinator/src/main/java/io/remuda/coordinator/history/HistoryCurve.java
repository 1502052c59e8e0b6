package io.remuda.coordinator.history;

import java.util.Arrays;

/**
 * Points of a metric of a series; a value that is not there is NaN.
 *
 * @param start time of the first point, in seconds since 1970
 * @param step time between points, in seconds
 * @param mean in the unit of the metric, as the others are
 * @param p95 95th percentile of the values of a point; of several points taken together, the
 *     greatest of theirs
 */
public record HistoryCurve(
    SeriesKey key,
    HistoryMetric metric,
    long start,
    int step,
    double[] mean,
    double[] minimum,
    double[] maximum,
    double[] p95) {

  static HistoryCurve empty(SeriesKey key, HistoryMetric metric, long start, int step, int count) {
    return new HistoryCurve(
        key, metric, start, step, absent(count), absent(count), absent(count), absent(count));
  }

  private static double[] absent(int count) {
    double[] values = new double[count];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /** Sets a point from stored columns; absent ones leave it as it is. */
  void set(int index, int[] stored, int offset, int stride, boolean plain) {
    int middle = stored[offset];
    if (middle == HistoryMetric.ABSENT) {
      return;
    }
    mean[index] = metric.value(middle);
    minimum[index] = plain ? mean[index] : metric.value(middle - stored[offset + stride]);
    maximum[index] = plain ? mean[index] : metric.value(middle + stored[offset + 2 * stride]);
    p95[index] = plain ? mean[index] : metric.value(middle + stored[offset + 3 * stride]);
  }

  /** Returns the curve with so many points taken together, at the least one. */
  HistoryCurve thinned(int together) {
    if (together <= 1) {
      return this;
    }
    int count = (mean.length + together - 1) / together;
    HistoryCurve thin = empty(key, metric, start, step * together, count);
    for (int index = 0; index < count; index++) {
      double sum = 0;
      int present = 0;
      int end = Math.min(mean.length, (index + 1) * together);
      for (int from = index * together; from < end; from++) {
        if (!Double.isNaN(mean[from])) {
          sum += mean[from];
          thin.minimum[index] =
              present == 0 ? minimum[from] : Math.min(thin.minimum[index], minimum[from]);
          thin.maximum[index] =
              present == 0 ? maximum[from] : Math.max(thin.maximum[index], maximum[from]);
          thin.p95[index] = present == 0 ? p95[from] : Math.max(thin.p95[index], p95[from]);
          present++;
        }
      }
      if (present > 0) {
        thin.mean[index] = sum / present;
      }
    }
    return thin;
  }
}
