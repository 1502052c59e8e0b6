package io.remuda.coordinator.drawing;

import io.remuda.telemetry.render.PrintableText;

/** Text within XML and HTML: nothing of it becomes markup. */
public final class MarkupText {

  private MarkupText() {}

  /**
   * Returns a text in one line, for content and for attributes in quotes. What XML forbids and what
   * moves or turns text stands as its number, as it does on a terminal.
   */
  public static String of(String text) {
    return escaped(PrintableText.of(text));
  }

  /** Returns a text whose line ends and tabs stay, for content. */
  public static String lines(String text) {
    return escaped(PrintableText.lines(text));
  }

  private static String escaped(String text) {
    StringBuilder safe = null;
    for (int at = 0; at < text.length(); at++) {
      String entity = entity(text.charAt(at));
      if (entity != null && safe == null) {
        safe = new StringBuilder(text.length() + 16).append(text, 0, at);
      }
      if (safe != null) {
        if (entity == null) {
          safe.append(text.charAt(at));
        } else {
          safe.append(entity);
        }
      }
    }
    return safe == null ? text : safe.toString();
  }

  private static String entity(char one) {
    return switch (one) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\'' -> "&#39;";
      default -> null;
    };
  }
}
