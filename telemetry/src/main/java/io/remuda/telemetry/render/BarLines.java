package io.remuda.telemetry.render;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Draws bars as lines of text in the style of tqdm: {@code pinoak0034 device 0 util: 9%|▉ | 9/100}.
 * The bars of one drawing are aligned.
 */
public final class BarLines {

  private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
  private static final String TENTHS = " 123456789#";
  private static final int LEAST_BAR = 4;
  private static final int MOST_BAR = 50;
  private static final String RESET = "\u001b[0m";

  private BarLines() {}

  /**
   * Returns a line for each bar, none wider than {@code width} columns. If space is short, parts
   * are dropped from the right: first the brackets, then the bar, then the end of the text.
   *
   * @param width width of the terminal in columns, at least 1
   */
  public static List<String> of(List<LabelledBar> bars, int width, BarStyle style) {
    int label = widest(bars, LabelledBar::label);
    int amount = widest(bars, LabelledBar::amount);
    int more = widest(bars, BarLines::brackets);
    int fixed = label + 1 + 5 + 2 + 1 + amount; // "label: 100%|" + bar + "| amount"
    boolean withMore = fixed + more + LEAST_BAR <= width;
    int room = width - fixed - (withMore ? more : 0);
    int bar = Math.min(MOST_BAR, room);
    return bars.stream().map(one -> line(one, label, amount, bar, withMore, width, style)).toList();
  }

  private static int widest(List<LabelledBar> bars, Function<LabelledBar, String> part) {
    return bars.stream()
        .filter(bar -> bar.kind() != LabelledBar.Kind.WORDS)
        .mapToInt(bar -> part.apply(bar).length())
        .max()
        .orElse(0);
  }

  private static String brackets(LabelledBar bar) {
    return bar.more().isEmpty() ? "" : " [" + bar.more() + "]";
  }

  private static String line(
      LabelledBar bar,
      int label,
      int amount,
      int length,
      boolean withMore,
      int width,
      BarStyle style) {
    if (bar.kind() == LabelledBar.Kind.WORDS) {
      return cut(bar.label(), width);
    }
    String head = pad(bar.label() + ":", label + 1) + percent(bar);
    if (length < LEAST_BAR) {
      return cut(head + " " + bar.amount(), width);
    }
    String tail = " " + bar.amount();
    if (withMore && !bar.more().isEmpty()) {
      tail = " " + pad(bar.amount(), amount) + brackets(bar);
    }
    return head + "|" + coloured(bar, fill(bar, length, style), style) + "|" + tail;
  }

  private static String percent(LabelledBar bar) {
    return bar.value() == null ? "  n/a" : String.format(Locale.ROOT, " %3d%%", bar.parts(100));
  }

  private static String fill(LabelledBar bar, int length, BarStyle style) {
    String parts = style.unicode() ? EIGHTHS : TENTHS;
    int steps = parts.length() - 1;
    int filled = bar.parts(length * steps);
    int whole = filled / steps;
    String full = parts.substring(steps);
    String rest = whole < length ? parts.substring(filled % steps, filled % steps + 1) : "";
    return pad(full.repeat(whole) + rest, length);
  }

  private static String coloured(LabelledBar bar, String text, BarStyle style) {
    return style.colour() ? "\u001b[" + colour(bar.kind()) + "m" + text + RESET : text;
  }

  private static int colour(LabelledBar.Kind kind) {
    return switch (kind) {
      case CPU -> 36;
      case GPU -> 32;
      case PROGRESS -> 33;
      case WORDS -> 39;
    };
  }

  private static String pad(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width));
  }
}
