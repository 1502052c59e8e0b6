package io.remuda.coordinator.ensemble.report;

import io.remuda.coordinator.drawing.CurveSeries;
import java.util.Arrays;

/**
 * Readings of one sort over a run of any length in bounded memory: from {@value #MOST} points on,
 * two neighbours become one. One thread.
 */
final class SampleCurve {

  static final int MOST = 1200;

  private final long base;
  private long step = 1;
  private final double[] sum = new double[MOST];
  private final int[] count = new int[MOST];
  private final double[] min = new double[MOST];
  private final double[] max = new double[MOST];
  private int end;

  /**
   * @param base time of the first point in seconds since 1970
   */
  SampleCurve(long base) {
    this.base = base;
  }

  /** Adds a reading; one from before the first point counts for that, null not at all. */
  void add(long second, Double value) {
    if (value == null) {
      return;
    }
    while (Math.max(0, second - base) / step >= MOST) {
      halve();
    }
    int at = (int) (Math.max(0, second - base) / step);
    min[at] = count[at] == 0 ? value : Math.min(min[at], value);
    max[at] = count[at] == 0 ? value : Math.max(max[at], value);
    sum[at] += value;
    count[at]++;
    end = Math.max(end, at + 1);
  }

  private void halve() {
    for (int at = 0; at < MOST / 2; at++) {
      int one = 2 * at;
      int other = one + 1;
      boolean both = count[one] > 0 && count[other] > 0;
      int known = count[one] > 0 ? one : other;
      double least = both ? Math.min(min[one], min[other]) : min[known];
      double most = both ? Math.max(max[one], max[other]) : max[known];
      sum[at] = sum[one] + sum[other];
      count[at] = count[one] + count[other];
      min[at] = least;
      max[at] = most;
    }
    Arrays.fill(sum, MOST / 2, MOST, 0);
    Arrays.fill(count, MOST / 2, MOST, 0);
    end = (end + 1) / 2;
    step *= 2;
  }

  /**
   * Returns the curve.
   *
   * @param period seconds between readings: a point of a shorter time has no gap beside it
   */
  CurveSeries series(String label, long period) {
    while (step < period) {
      halve();
    }
    double[] means = new double[end];
    double[] least = new double[end];
    double[] most = new double[end];
    for (int at = 0; at < end; at++) {
      means[at] = count[at] == 0 ? Double.NaN : sum[at] / count[at];
      least[at] = count[at] == 0 ? Double.NaN : min[at];
      most[at] = count[at] == 0 ? Double.NaN : max[at];
    }
    return new CurveSeries(label, base, step, means, least, most);
  }

  /**
   * Returns the integral over time, as joules of watts; a time without readings adds nothing.
   *
   * @param period seconds for which each reading stands
   */
  double integral(double period) {
    return Arrays.stream(sum).sum() * period;
  }
}
