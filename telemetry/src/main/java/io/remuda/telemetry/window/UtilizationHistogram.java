package io.remuda.telemetry.window;

import java.util.Arrays;

/**
 * Counts of each utilisation from 0 to 100 %. Exact, and unlike quantiles, histograms of parts can
 * be merged to the histogram of the whole. For one thread.
 */
public final class UtilizationHistogram {
  private static final int VALUES = 101;

  private final long[] seen = new long[VALUES];

  /**
   * Counts one value.
   *
   * @throws IllegalArgumentException outside 0-100
   */
  public void add(int percent) {
    if (percent < 0 || percent >= VALUES) {
      throw new IllegalArgumentException("percent must be 0 to 100 but is " + percent);
    }
    seen[percent]++;
  }

  /** Returns a new histogram of the values of both. */
  public UtilizationHistogram merge(UtilizationHistogram other) {
    UtilizationHistogram merged = new UtilizationHistogram();
    Arrays.setAll(merged.seen, i -> seen[i] + other.seen[i]);
    return merged;
  }

  /** Returns the number of values. */
  public long count() {
    return Arrays.stream(seen).sum();
  }

  /** Returns the arithmetic mean in %; null without values. */
  public Double mean() {
    long count = count();
    long sum = 0;
    for (int percent = 0; percent < VALUES; percent++) {
      sum += percent * seen[percent];
    }
    return count == 0 ? null : (double) sum / count;
  }

  /** Returns the greatest value in %; null without values. */
  public Integer max() {
    return quantile(1);
  }

  /**
   * Returns the least value v such that at least this share of the values is at most v (nearest
   * rank).
   *
   * @param share above 0, up to 1: 0.95 for p95
   * @return percent; null without values
   */
  public Integer quantile(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and up to 1 but is " + share);
    }
    long count = count();
    long rank = Math.max(1, (long) Math.ceil(share * count));
    long below = 0;
    for (int percent = 0; percent < VALUES && count > 0; percent++) {
      below += seen[percent];
      if (below >= rank) {
        return percent;
      }
    }
    return null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UtilizationHistogram that && Arrays.equals(seen, that.seen);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(seen);
  }
}
