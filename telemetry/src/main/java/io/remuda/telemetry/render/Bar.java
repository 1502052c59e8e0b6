package io.remuda.telemetry.render;

import java.util.Objects;

/**
 * One bar: what it shows and how full it is.
 *
 * @param kind what is shown
 * @param label words before the bar
 * @param value from 0 to {@code total}, more is drawn as full; null if it is not available
 * @param total a full bar; above 0
 * @param amount the value in words, such as {@code 9/100}
 * @param more words in brackets after it, or empty
 */
public record Bar(Kind kind, String label, Double value, double total, String amount, String more) {

  /** What a bar shows; decides its colour. */
  public enum Kind {
    CPU,
    GPU,
    PROGRESS,
    /** Words without a bar. */
    WORDS
  }

  public Bar {
    Objects.requireNonNull(kind, "kind");
    label = printable(Objects.requireNonNull(label, "label"));
    amount = printable(Objects.requireNonNull(amount, "amount"));
    more = printable(Objects.requireNonNull(more, "more"));
    if (!(total > 0)) {
      throw new IllegalArgumentException("total must be above 0, got " + total);
    }
  }

  /** A line of words among the bars. */
  public static Bar words(String text) {
    return new Bar(Kind.WORDS, text, null, 1, "", "");
  }

  /** What nodes and workers say must not move the cursor. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cc}", "?");
  }

  /** How many of so many equal parts are full; 0 if that is not known. */
  int parts(int of) {
    // multiplied first: 29 of 100 are 28.999... parts of 100 otherwise
    return value == null || !(value > 0) ? 0 : (int) (of * Math.min(value, total) / total);
  }
}
