package io.remuda.coordinator.drawing;

import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Elements of XML, one after the other, or of HTML that is XML, too. Attributes are given as name
 * and value in turn, their values as any object; one whose value is null is left out. Not
 * thread-safe.
 */
public final class MarkupWriter {

  private static final double TEN = 10;

  private final StringBuilder text = new StringBuilder(4096);
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element, which {@link #close} ends. */
  public MarkupWriter open(String name, Object... attributes) {
    begin(name, attributes);
    text.append('>');
    open.push(name);
    return this;
  }

  /** Ends the element that was begun last. */
  public MarkupWriter close() {
    text.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Adds an element without content. */
  public MarkupWriter add(String name, Object... attributes) {
    begin(name, attributes);
    text.append("/>");
    return this;
  }

  /** Adds a shape that shows a text when it is pointed at. */
  public MarkupWriter addTitled(String title, String name, Object... attributes) {
    return open(name, attributes).write("title", title).close();
  }

  /** Adds an element with a text. */
  public MarkupWriter write(String name, String words, Object... attributes) {
    open(name, attributes);
    text.append(MarkupText.of(words));
    return close();
  }

  /** Adds a style sheet, which must have none of the characters of markup. */
  public MarkupWriter style(String rules) {
    open("style");
    text.append(rules);
    return close();
  }

  /** Adds a text in which line ends stay. */
  public MarkupWriter lines(String words) {
    text.append(MarkupText.lines(words));
    return this;
  }

  /** Adds a drawing, or another text that is markup already. */
  public MarkupWriter drawing(String svg) {
    text.append(svg);
    return this;
  }

  /** Returns how many characters there are so far. */
  public int length() {
    return text.length();
  }

  /** Starts a new line of the file. */
  public MarkupWriter newLine() {
    text.append('\n');
    return this;
  }

  private void begin(String name, Object... attributes) {
    text.append('<').append(name);
    for (int at = 0; at < attributes.length; at += 2) {
      if (attributes[at + 1] != null) {
        text.append(' ').append(attributes[at]).append("=\"").append(value(attributes[at + 1]));
        text.append('"');
      }
    }
  }

  private static String value(Object value) {
    return value instanceof Double number ? number(number) : MarkupText.of(value.toString());
  }

  /** Returns a length with one decimal at most. */
  static String number(double value) {
    long tenths = Math.round(value * TEN);
    String whole = Long.toString(Math.abs(tenths / 10));
    String sign = tenths < 0 ? "-" : "";
    return sign + (tenths % 10 == 0 ? whole : whole + "." + Math.abs(tenths % 10));
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not ended: " + open);
    }
    return text.toString();
  }

  /** Text within XML and HTML: nothing of it becomes markup. */
  static final class MarkupText {

    private MarkupText() {}

    /**
     * Returns a text in one line, for content and for attributes in quotes. What XML forbids and
     * what moves or turns text stands as its number, as it does on a terminal.
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
}
