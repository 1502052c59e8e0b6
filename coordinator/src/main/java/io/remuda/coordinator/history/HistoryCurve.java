package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurves;
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

  /**
   * Returns a kept reading of an ended attempt at other points. A point of the reading that reaches
   * over several of these is in each of them; the 95th percentile is not kept.
   *
   * @param start time of the first point, in seconds since 1970
   * @param step time between points, in seconds
   */
  public static HistoryCurve of(
      SeriesKey key,
      HistoryMetric metric,
      TaskCurves.Reading reading,
      long start,
      int step,
      int count) {
    HistoryCurve curve = empty(key, metric, start, step, count);
    int[] present = new int[count];
    for (int point = 0; point < reading.mean().length; point++) {
      long at = reading.start() + (long) point * reading.step();
      long first = Math.max(0, Math.floorDiv(at - start, (long) step));
      long last = Math.min(count - 1L, Math.floorDiv(at + reading.step() - 1 - start, (long) step));
      for (int index = (int) first; index <= last && !Float.isNaN(reading.mean()[point]); index++) {
        boolean one = present[index]++ == 0;
        double before = one ? 0 : curve.mean[index];
        curve.mean[index] = before + (reading.mean()[point] - before) / present[index];
        curve.minimum[index] =
            one
                ? reading.minimum()[point]
                : Math.min(curve.minimum[index], reading.minimum()[point]);
        curve.maximum[index] =
            one
                ? reading.maximum()[point]
                : Math.max(curve.maximum[index], reading.maximum()[point]);
      }
    }
    return curve;
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

  /** Returns the points from one to before another. */
  HistoryCurve part(int from, int to) {
    return new HistoryCurve(
        key,
        metric,
        start + (long) from * step,
        step,
        Arrays.copyOfRange(mean, from, to),
        Arrays.copyOfRange(minimum, from, to),
        Arrays.copyOfRange(maximum, from, to),
        Arrays.copyOfRange(p95, from, to));
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
