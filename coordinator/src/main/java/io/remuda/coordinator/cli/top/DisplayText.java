package io.remuda.coordinator.cli.top;

import org.jline.utils.WCWidth;

/** Text in columns of a terminal, of which some characters take two and some none. */
final class DisplayText {

  /** At the end of what was cut. */
  private static final String CUT = "+";

  private DisplayText() {}

  /** How many columns it takes. */
  static int width(String text) {
    return text.codePoints().map(WCWidth::wcwidth).sum();
  }

  /** As much of it as fits, without a mark that there was more. */
  static String cut(String text, int columns) {
    int width = 0;
    int at = 0;
    while (at < text.length()) {
      int one = text.codePointAt(at);
      width += WCWidth.wcwidth(one);
      if (width > columns) {
        return text.substring(0, at);
      }
      at += Character.charCount(one);
    }
    return text;
  }

  /** Exactly so many columns, cut or with blanks after it. */
  static String left(String text, int columns) {
    String fitting = fitting(text, columns);
    return fitting + " ".repeat(Math.max(0, columns - width(fitting)));
  }

  /** Exactly so many columns, cut or with blanks before it. */
  static String right(String text, int columns) {
    String fitting = fitting(text, columns);
    return " ".repeat(Math.max(0, columns - width(fitting))) + fitting;
  }

  private static String fitting(String text, int columns) {
    if (columns < 1) {
      return "";
    }
    return width(text) <= columns ? text : cut(text, columns - 1) + CUT;
  }
}
