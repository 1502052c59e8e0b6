package io.remuda.coordinator.cli.output;

import java.time.Duration;
import java.time.Instant;

/** Formats times for users. */
public final class ElapsedTime {

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

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
