package io.remuda.telemetry.render;

/**
 * Escapes user text for terminals. Characters that move the cursor, start an escape sequence,
 * change the text direction or have no glyph are replaced by their number: {@code \}{@code u001b}.
 * JSON uses the same notation, so escaped JSON keeps its meaning.
 */
public final class PrintableText {

  private static final char FIRST = ' ';
  private static final char LAST_ASCII = '~';
  private static final int FIRST_COMBINING = 0x300;

  /** Code points two columns wide, as first and last of each range. */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f,
    0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f900, 0x1f9ff, 0x20000, 0x3fffd
  };

  private PrintableText() {}

  /** Escapes single-line text, including line ends and tabs. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** Escapes multi-line text; line ends and tabs stay. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean lines) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    for (int at = 0; at < text.length(); ) {
      int one = text.codePointAt(at);
      if (isShown(one) || (lines && (one == '\n' || one == '\t'))) {
        shown.appendCodePoint(one);
      } else {
        escape(one, shown);
      }
      at += Character.charCount(one);
    }
    return shown.toString();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < FIRST || text.charAt(i) > LAST_ASCII) {
        return false;
      }
    }
    return true;
  }

  private static void escape(int one, StringBuilder shown) {
    switch (one) {
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      default -> {
        for (char unit : Character.toChars(one)) {
          shown.append("\\u").append(Integer.toHexString(0x10000 | unit), 1, 5);
        }
      }
    }
  }

  /** Returns whether a code point is only displayed, without other effects. */
  private static boolean isShown(int one) {
    return switch (Character.getType(one)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /**
   * Returns whether a code point may occur in a name. Joiners and similar format characters may,
   * although {@link #of} escapes them; characters that control a terminal or change the text
   * direction may not.
   */
  public static boolean isOfName(int one) {
    return switch (Character.getType(one)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> !turnsLines(one);
    };
  }

  private static boolean turnsLines(int one) {
    return one == 0x61c
        || one == 0x200e
        || one == 0x200f
        || (one >= 0x202a && one <= 0x202e)
        || (one >= 0x2066 && one <= 0x2069);
  }

  /** Returns whether all code points may occur in a name. */
  public static boolean isName(String text) {
    return text.codePoints().allMatch(PrintableText::isOfName);
  }

  /** Returns at most the first {@code most} chars of a text, without splitting a surrogate pair. */
  public static String beginning(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean half = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, half ? most - 1 : most);
  }

  /** Returns the number of terminal columns of a printable text. */
  public static int columns(String text) {
    if (isPlain(text)) {
      return text.length();
    }
    return text.codePoints().map(PrintableText::columns).sum();
  }

  /** Returns a printable text, or its beginning and {@code mark} if it has more columns. */
  public static String cut(String text, int columns, String mark) {
    if (columns(text) <= columns) {
      return text;
    }
    int room = columns - columns(mark);
    int at = 0;
    while (at < text.length() && columns(text.codePointAt(at)) <= room) {
      room -= columns(text.codePointAt(at));
      at += Character.charCount(text.codePointAt(at));
    }
    return text.substring(0, at) + mark;
  }

  private static int columns(int one) {
    if (one < FIRST_COMBINING) {
      return 1;
    }
    int type = Character.getType(one);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (one >= WIDE[i] && one <= WIDE[i + 1]) {
        return 2;
      }
    }
    return 1;
  }
}
