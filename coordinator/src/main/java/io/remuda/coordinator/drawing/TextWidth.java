package io.remuda.coordinator.drawing;

import io.remuda.telemetry.render.PrintableText;

/** How wide a text of 12 pixels is about; nothing here knows the reader's font. */
final class TextWidth {

  private static final double NARROW = 3.6;
  private static final double USUAL = 6.7;
  private static final double CAPITAL = 8.2;
  private static final double WIDE = 12.5;
  private static final double BOLD = 1.2;
  private static final int LATIN_END = 0x250;
  private static final String DOTS = "…";

  private TextWidth() {}

  static double of(String text) {
    return PrintableText.of(text).codePoints().mapToDouble(TextWidth::of).sum();
  }

  static double bold(String text) {
    return of(text) * BOLD;
  }

  private static double of(int one) {
    if ("iljftrI.,:;'|!()[]1 ".indexOf(one) >= 0) {
      return one == '1' ? USUAL : NARROW + (one == 'r' || one == 'f' || one == 't' ? 0.7 : 0);
    }
    if (one >= LATIN_END && one != 0x2026) {
      return WIDE;
    }
    return Character.isUpperCase(one) || "mwMW%@".indexOf(one) >= 0 ? CAPITAL + 1 : USUAL;
  }

  /** Returns the beginning of a text that fits, with dots for the rest; empty if none does. */
  static String cut(String text, double pixels) {
    if (of(text) <= pixels) {
      return text;
    }
    double left = pixels - of(DOTS);
    int end = 0;
    while (end < text.length()) {
      int one = text.codePointAt(end);
      left -= of(Character.toString(one));
      if (left < 0) {
        break;
      }
      end += Character.charCount(one);
    }
    return end == 0 ? "" : text.substring(0, end) + DOTS;
  }
}
