package io.remuda.coordinator.drawing;

import java.util.Objects;

/**
 * The values of one curve at even times.
 *
 * @param label its name in the legend
 * @param from time of the first value, in seconds since 1970
 * @param step time from value to value, in seconds
 * @param mean values in the unit of the panel; NaN where there is none
 * @param min the least of what each mean is of; the same array as mean where that is not known
 * @param max the greatest of it, likewise
 */
public record CurveSeries(
    String label, long from, long step, double[] mean, double[] min, double[] max) {

  public CurveSeries {
    Objects.requireNonNull(label, "label");
    if (step < 1 || mean.length != min.length || mean.length != max.length) {
      throw new IllegalArgumentException(
          "step must be 1 or more and the values as many, got "
              + step
              + " and "
              + mean.length
              + ", "
              + min.length
              + ", "
              + max.length);
    }
  }

  /** Returns a curve of single readings. */
  public static CurveSeries of(String label, long from, long step, double... values) {
    return new CurveSeries(label, from, step, values, values, values);
  }

  /** Returns the least value, NaN if there is none. */
  double least() {
    double least = Double.NaN;
    for (double value : min) {
      least = Double.isNaN(least) || value < least ? value : least;
    }
    return least;
  }

  /** Returns the greatest value, NaN if there is none. */
  double greatest() {
    double greatest = Double.NaN;
    for (double value : max) {
      greatest = Double.isNaN(greatest) || value > greatest ? value : greatest;
    }
    return greatest;
  }

  /** Returns the mean of the values, NaN if there is none. */
  double average() {
    double sum = 0;
    int count = 0;
    for (double value : mean) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }
}
