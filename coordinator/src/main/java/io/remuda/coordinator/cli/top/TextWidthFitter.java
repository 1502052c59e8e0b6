package io.remuda.coordinator.cli.top;

import org.jline.utils.WCWidth;

/** Text measured in terminal columns: some characters take two columns, some none. */
final class TextWidthFitter {

  /** The mark at the end of a cut text. */
  private static final String CUT = "+";

  private TextWidthFitter() {}

  /** Returns the number of columns of a text. */
  static int width(String text) {
    return text.codePoints().map(WCWidth::wcwidth).sum();
  }

  /** Returns the longest beginning that fits, without the mark of a cut text. */
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

  /** Cuts a text, or adds blanks after it, to exactly this number of columns. */
  static String left(String text, int columns) {
    String fitting = fitting(text, columns);
    return fitting + " ".repeat(Math.max(0, columns - width(fitting)));
  }

  /** Cuts a text, or adds blanks before it, to exactly this number of columns. */
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
