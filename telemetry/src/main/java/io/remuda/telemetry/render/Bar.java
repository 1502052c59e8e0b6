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
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(amount, "amount");
    Objects.requireNonNull(more, "more");
    if (!(total > 0)) {
      throw new IllegalArgumentException("total must be above 0, got " + total);
    }
  }

  /** A line of words among the bars. */
  public static Bar words(String text) {
    return new Bar(Kind.WORDS, text, null, 1, "", "");
  }

  /** How full it is, 0 to 1; 0 if that is not known. */
  double fraction() {
    return value == null || !(value > 0) ? 0 : Math.min(1, value / total);
  }
}
