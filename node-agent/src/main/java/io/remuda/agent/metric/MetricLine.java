package io.remuda.agent.metric;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A line that a program has reported: {@code name value [step [time]]}.
 *
 * @param value may be no number, or infinite
 * @param step null if there is none
 * @param atMillis when it was reported, since 1970
 */
record MetricLine(String name, double value, Double step, long atMillis) {

  /** What a name may be; it stands in addresses and in lists with commas. */
  static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_./:@%+=#-]{0,63}");

  /** Bytes of a line without its end. */
  static final int MOST_BYTES = 512;

  private static final Pattern BLANKS = Pattern.compile("[ \t]+");
  private static final int MOST_WORDS = 4;
  private static final long MILLIS = 1000;

  /** A time that a line tells is believed if it is at most so far from now. */
  private static final long PAST_MILLIS = 30L * 24 * 3600 * MILLIS;

  private static final long FUTURE_MILLIS = 60 * MILLIS;

  /**
   * Reads a line.
   *
   * @param nowMillis the time if the line has none, or one that cannot be
   * @throws IllegalArgumentException if it is none
   */
  static MetricLine of(String text, long nowMillis) {
    String[] words = BLANKS.split(text.strip());
    if (words.length < 2 || words.length > MOST_WORDS || !NAME.matcher(words[0]).matches()) {
      throw new IllegalArgumentException("not name value [step]");
    }
    Double step = words.length < 3 || words[2].equals("-") ? null : number(words[2]);
    if (step != null && !Double.isFinite(step)) {
      throw new IllegalArgumentException("the step is not a number");
    }
    long at = nowMillis;
    if (words.length == MOST_WORDS) {
      double told = number(words[3]) * MILLIS;
      at =
          told >= nowMillis - PAST_MILLIS && told <= nowMillis + FUTURE_MILLIS
              ? (long) told
              : nowMillis;
    }
    return new MetricLine(words[0], number(words[1]), step, at);
  }

  private static double number(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nan", "-nan", "+nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(word);
    };
  }
}
