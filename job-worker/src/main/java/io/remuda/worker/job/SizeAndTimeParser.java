package io.remuda.worker.job;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses sizes and times as users write them in jobs. */
public final class SizeAndTimeParser {

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([kmgt]i?b?|b|)");
  private static final Map<Character, Integer> SHIFTS = Map.of('k', 10, 'm', 20, 'g', 30, 't', 40);
  private static final Pattern TIME_PART =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(ms|sec|s|min|m|h|d|w)\\s*");
  private static final Pattern CLOCK =
      Pattern.compile("(?:(\\d{1,6})-)?(\\d{1,6}):([0-5]\\d):([0-5]\\d)");
  private static final Pattern DAYS_AND_HOURS =
      Pattern.compile("(\\d{1,6})-(\\d{1,2})(?::([0-5]\\d))?");
  private static final Pattern BARE = Pattern.compile("\\d{1,12}(?:\\.\\d{1,6})?");
  private static final Pattern TWO_OF_A_CLOCK = Pattern.compile("(\\d{1,6}):([0-5]\\d)");
  private static final Map<String, Double> MILLIS =
      Map.of(
          "ms", 1.0, "s", 1e3, "sec", 1e3, "m", 6e4, "min", 6e4, "h", 3.6e6, "d", 8.64e7, "w",
          6.048e8);
  private static final double MOST_MILLIS = 3.156e12;
  private static final int MEBIBYTE_SHIFT = 20;

  private SizeAndTimeParser() {}

  /**
   * Parses bytes from {@code 6GiB}, {@code 6G}, {@code 6GB}, {@code 1.5g} or a plain number of MiB.
   * Units are powers of 1024 in every spelling.
   *
   * @throws IllegalArgumentException if the text is not a size, or is more than 2^53 bytes
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size: write 6G, 512M, 6GiB, or a number of MiB");
    }
    String unit = matcher.group(2);
    int shift = unit.isEmpty() ? MEBIBYTE_SHIFT : SHIFTS.getOrDefault(unit.charAt(0), 0);
    double bytes = Double.parseDouble(matcher.group(1)) * (1L << shift);
    if (bytes > 1L << 53) {
      throw new IllegalArgumentException("'" + text + "' is too large");
    }
    return Math.round(bytes);
  }

  /** Returns milliseconds as people write them, in the largest unit that shows them whole. */
  public static String words(long millis) {
    long[] lengths = {86_400_000, 3_600_000, 60_000, 1000};
    String[] units = {" d", " h", " min", " s"};
    for (int i = 0; i < lengths.length; i++) {
      if (millis >= lengths[i] && millis % lengths[i] == 0) {
        return millis / lengths[i] + units[i];
      }
    }
    return millis + " ms";
  }

  /**
   * Parses a duration: {@code 90s}, {@code 6h}, {@code 1d}, {@code 500ms}, parts one after the
   * other as {@code 1h30m}, hours, minutes and seconds as {@code 01:30:00}, with days as {@code
   * 2-12:00:00}, {@code 2-12:00} or {@code 2-12}. A number without a unit is refused, because it is
   * seconds to some programs and minutes to others; only 0 needs none.
   *
   * @throws IllegalArgumentException if the text is not a time, or is more than a hundred years
   */
  public static Duration time(String text) {
    double millis = millis(text, text.trim().toLowerCase(Locale.ROOT));
    if (millis > MOST_MILLIS) {
      throw new IllegalArgumentException("'" + text + "' is too long");
    }
    return Duration.ofMillis(Math.round(millis));
  }

  private static double millis(String text, String trimmed) {
    Matcher clock = CLOCK.matcher(trimmed);
    if (clock.matches()) {
      return millis(clock.group(1), clock.group(2), clock.group(3), clock.group(4));
    }
    Matcher days = DAYS_AND_HOURS.matcher(trimmed);
    if (days.matches()) {
      return millis(days.group(1), days.group(2), days.group(3), null);
    }
    if (BARE.matcher(trimmed).matches()) {
      if (Double.parseDouble(trimmed) == 0) {
        return 0;
      }
      throw new IllegalArgumentException(
          String.format("%1$s what? write %1$ss, %1$sm or %2$s", trimmed, inHours(trimmed)));
    }
    Matcher two = TWO_OF_A_CLOCK.matcher(trimmed);
    if (two.matches()) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' is hours and minutes, or minutes and seconds: write %sh%sm or %sm%ss",
              text, two.group(1), two.group(2), two.group(1), two.group(2)));
    }
    return sumOfParts(text, trimmed);
  }

  /** Returns as much as so many minutes in hours, if that is a whole number, else in hours. */
  private static String inHours(String number) {
    double minutes = Double.parseDouble(number);
    return minutes % 60 == 0 ? Math.round(minutes / 60) + "h" : number + "h";
  }

  private static double millis(String days, String hours, String minutes, String seconds) {
    return number(days) * MILLIS.get("d")
        + number(hours) * MILLIS.get("h")
        + number(minutes) * MILLIS.get("m")
        + number(seconds) * MILLIS.get("s");
  }

  private static double number(String digits) {
    return digits == null ? 0 : Double.parseDouble(digits);
  }

  private static double sumOfParts(String text, String trimmed) {
    Matcher part = TIME_PART.matcher(trimmed);
    double millis = 0;
    int end = 0;
    while (end < trimmed.length() && part.find(end) && part.start() == end) {
      millis += Double.parseDouble(part.group(1)) * MILLIS.get(part.group(2));
      end = part.end();
    }
    if (end == 0 || end < trimmed.length()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time: write 90s, 15m, 1h30m, 01:30:00 or 2d");
    }
    return millis;
  }
}
