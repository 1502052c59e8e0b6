package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;

/** Formats times for users. */
public final class ElapsedTime {

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** What clocks and the age of a measurement may make of a span without one being set. */
  private static final Duration UNEVEN = Duration.ofMinutes(1);

  private ElapsedTime() {}

  /** Returns how long ago {@code iso} was, as {@code 3m ago}; empty for null. */
  public static String of(String iso, Instant now) {
    return iso == null || iso.isEmpty()
        ? ""
        : span(Duration.between(Instant.parse(iso), now)) + " ago";
  }

  /** Returns the time from {@code from} to {@code to}, or to now if null; empty without a start. */
  public static String span(String from, String to, Instant now) {
    if (from == null || from.isEmpty()) {
      return "";
    }
    Instant end = to == null || to.isEmpty() ? now : Instant.parse(to);
    return span(Duration.between(Instant.parse(from), end));
  }

  /**
   * Returns how long a job or a task has run, as {@code 3m}; empty if it has not begun. If it has
   * ended, its measured time counts. While it runs, that is some seconds old, and counts only if
   * its start and {@code now} disagree with it so much that a clock was set.
   *
   * @param measured milliseconds by clocks that nobody sets, 0 or more; no number if not known
   */
  public static String ran(String from, String to, JsonNode measured, Instant now) {
    if (from == null || from.isEmpty() || !measured.isNumber()) {
      return span(from, to, now);
    }
    Duration told = Duration.ofMillis(measured.asLong());
    boolean over = to != null && !to.isEmpty();
    Duration apart = Duration.between(Instant.parse(from), now).minus(told).abs();
    return over || apart.compareTo(UNEVEN) > 0 ? span(told) : span(from, to, now);
  }

  /** Returns a duration, as {@code 3m}. */
  public static String span(Duration span) {
    long seconds = Math.max(0, span.toSeconds());
    if (seconds < 2 * MINUTE) {
      return seconds + "s";
    } else if (seconds < 2 * HOUR) {
      return seconds / MINUTE + "m";
    } else if (seconds < 2 * DAY) {
      return seconds / HOUR + "h";
    }
    return seconds / DAY + "d";
  }
}
