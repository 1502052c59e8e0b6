package io.remuda.worker.job;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses sizes and times as users write them in jobs. */
public final class Quantities {

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([kmgt]i?b?|b|)");
  private static final Map<Character, Integer> SHIFTS = Map.of('k', 10, 'm', 20, 'g', 30, 't', 40);
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(ms|s|m|h|d|w|)");
  private static final Map<String, Double> MILLIS =
      Map.of("ms", 1.0, "s", 1e3, "", 1e3, "m", 6e4, "h", 3.6e6, "d", 8.64e7, "w", 6.048e8);
  private static final int MEBIBYTE_SHIFT = 20;

  private Quantities() {}

  /**
   * Parses bytes from {@code 6GiB}, {@code 512MiB}, {@code 1.5g} or a plain number of MiB. Units
   * are powers of 1024 in every spelling.
   *
   * @throws IllegalArgumentException if the text is not a size, or is more than 2^53 bytes
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size: write 6GiB, 512MiB, or a number of MiB");
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
   * Parses a duration from {@code 90s}, {@code 6h}, {@code 1d}, {@code 500ms} or a plain number of
   * seconds.
   *
   * @throws IllegalArgumentException if the text is not a time, or is more than a hundred years
   */
  public static Duration time(String text) {
    Matcher matcher = TIME.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a time: write 90s, 15m, 6h or 1d");
    }
    double millis = Double.parseDouble(matcher.group(1)) * MILLIS.get(matcher.group(2));
    if (millis > 3.156e12) {
      throw new IllegalArgumentException("'" + text + "' is too long");
    }
    return Duration.ofMillis(Math.round(millis));
  }
}
