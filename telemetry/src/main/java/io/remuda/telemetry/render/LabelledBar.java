package io.remuda.telemetry.render;

import java.util.Objects;

/**
 * One bar and its labels.
 *
 * @param kind the quantity shown
 * @param label text before the bar
 * @param value from 0 to {@code total}, larger values are drawn as full; null if not available
 * @param total the value of a full bar; above 0
 * @param amount the value as text, such as {@code 9/100}
 * @param more text in brackets after it, or empty
 */
public record LabelledBar(
    Kind kind, String label, Double value, double total, String amount, String more) {

  /** The quantity that a bar shows; decides its colour. */
  public enum Kind {
    CPU,
    GPU,
    PROGRESS,
    /** Text without a bar. */
    WORDS
  }

  public LabelledBar {
    Objects.requireNonNull(kind, "kind");
    label = printable(Objects.requireNonNull(label, "label"));
    amount = printable(Objects.requireNonNull(amount, "amount"));
    more = printable(Objects.requireNonNull(more, "more"));
    if (!(total > 0)) {
      throw new IllegalArgumentException("total must be above 0, got " + total);
    }
  }

  /** Returns a line of text without a bar. */
  public static LabelledBar words(String text) {
    return new LabelledBar(Kind.WORDS, text, null, 1, "", "");
  }

  /** Replaces control characters: text from nodes and workers must not move the cursor. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cc}", "?");
  }

  /** Returns how many of {@code of} equal parts are full; 0 if the value is not available. */
  int parts(int of) {
    // multiplies first: otherwise 29 of 100 is 28.999... parts of 100
    return value == null || !(value > 0) ? 0 : (int) (of * Math.min(value, total) / total);
  }
}
