package io.remuda.telemetry.window;

/**
 * Count, least, greatest, sum and last of a series of values. Rollups of adjacent periods can be
 * merged; quantiles need a {@link UtilizationHistogram}.
 *
 * @param count number of values
 * @param min the least value; +infinity without values
 * @param max the greatest value; -infinity without values
 * @param sum sum of all values
 * @param last the value added last; NaN without values
 */
public record Rollup(long count, double min, double max, double sum, double last) {
  public static final Rollup EMPTY =
      new Rollup(0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, Double.NaN);

  public Rollup plus(double value) {
    return new Rollup(count + 1, Math.min(min, value), Math.max(max, value), sum + value, value);
  }

  /** Returns the rollup of these values and of later ones. */
  public Rollup merge(Rollup later) {
    return new Rollup(
        count + later.count,
        Math.min(min, later.min),
        Math.max(max, later.max),
        sum + later.sum,
        later.count == 0 ? last : later.last);
  }

  /** Returns the arithmetic mean; NaN without values. */
  public double mean() {
    return sum / count;
  }
}
