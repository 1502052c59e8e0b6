package io.remuda.coordinator.drawing.request;

/** Lengths of time for people. */
public final class SpanText {

  private static final long MINUTE = 60;
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;

  private SpanText() {}

  /** Returns a length with its two largest parts, as {@code 2 h 5 min}. */
  public static String of(long seconds) {
    long length = Math.max(0, seconds);
    if (length < MINUTE) {
      return length + " s";
    } else if (length < HOUR) {
      return two(length / MINUTE, " min", length % MINUTE, " s");
    } else if (length < DAY) {
      return two(length / HOUR, " h", length % HOUR / MINUTE, " min");
    }
    return two(length / DAY, " d", length % DAY / HOUR, " h");
  }

  private static String two(long first, String unit, long second, String smaller) {
    return first + unit + (second == 0 ? "" : " " + second + smaller);
  }
}
