package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A value that a program has reported, or several of them taken together. All values are finite.
 *
 * @param atMillis when the last of them was reported, since 1970
 * @param step the program's own count at the last of them, such as an epoch; null if it told none
 * @param count number of values
 * @param last the newest of them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReportedPoint(
    long atMillis,
    Double step,
    long count,
    double mean,
    double minimum,
    double maximum,
    double last) {

  /** A single value. */
  public static ReportedPoint of(long atMillis, Double step, double value) {
    return new ReportedPoint(atMillis, step, 1, value, value, value, value);
  }

  /** Returns this point and a later one taken together. */
  public ReportedPoint and(ReportedPoint later) {
    long all = count + later.count;
    return new ReportedPoint(
        later.atMillis,
        later.step == null ? step : later.step,
        all,
        mean + (later.mean - mean) * ((double) later.count / all),
        Math.min(minimum, later.minimum),
        Math.max(maximum, later.maximum),
        later.last);
  }
}
