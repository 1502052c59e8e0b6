package io.remuda.coordinator.console;

import io.remuda.telemetry.render.BarLines;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.telemetry.render.LabelledBar;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * A terminal whose last lines are bars, redrawn in place, with lines above them that scroll away.
 * One thread.
 *
 * <p>The cursor rests at the end of the last bar. A drawing goes up to the first bar, erases from
 * there, writes the new lines and then the bars. After a change of size the place of the old bars
 * is unknown, so the whole screen is written again from the newest lines, which are kept for that.
 */
public final class LiveScreen {

  private static final String ESCAPE = "\u001b[";
  private static final String ERASE_BELOW = ESCAPE + "J";
  private static final String ERASE_LINE = ESCAPE + "2K";
  private static final String HOME = ESCAPE + "H";
  private static final String NEXT = "\r\n";
  private static final int LEAST_LINES = 3;
  private static final int KEPT_LINES = 500;

  private final PrintStream out;
  private final Supplier<TerminalStream.Size> terminal;
  private final BarStyle style;
  private final Deque<String> kept = new ArrayDeque<>();
  private final List<String> unwritten = new ArrayList<>();
  private BarSource telemetry = BarSource.NONE;
  private BarSource progress = BarSource.NONE;
  private TerminalStream.Size drawnFor;
  private int drawnBars;
  private boolean changed;

  /**
   * @param out the terminal
   * @param terminal returns its size, called before each drawing
   */
  public LiveScreen(PrintStream out, Supplier<TerminalStream.Size> terminal, BarStyle style) {
    this.out = out;
    this.terminal = terminal;
    this.style = style;
  }

  /** Adds a line above the bars, shown with the next drawing. */
  void above(String text) {
    unwritten.add(printable(text));
  }

  /** Replaces control characters: texts of workers and drivers must not move the cursor. */
  private static String printable(String text) {
    return text.replace('\t', ' ').replaceAll("\\p{Cc}", "?");
  }

  /** Replaces the bars of the machines. */
  void telemetry(BarSource bars) {
    telemetry = bars;
    changed = true;
  }

  /** Replaces the bars of the work, which are below those of the machines. */
  void progress(BarSource bars) {
    progress = bars;
    changed = true;
  }

  /** Draws these bars in place of the old ones. */
  public void show(BarSource bars) {
    telemetry(bars);
    refresh();
  }

  /** Draws the changes. */
  void refresh() {
    TerminalStream.Size size = terminal.get();
    boolean resized = drawnFor != null && !drawnFor.equals(size);
    if (!resized && !changed && unwritten.isEmpty()) {
      return;
    }
    List<String> bars = bars(size);
    StringBuilder text = new StringBuilder();
    if (resized) {
      wholeScreen(text, bars, size);
    } else {
      backToFirstBar(text);
      unwritten.forEach(line -> text.append(line).append(NEXT));
      text.append(String.join(NEXT, bars));
    }
    out.print(text);
    out.flush();
    keepWritten();
    drawnBars = bars.size();
    drawnFor = size;
    changed = false;
  }

  private void keepWritten() {
    kept.addAll(unwritten);
    unwritten.clear();
    while (kept.size() > KEPT_LINES) {
      kept.removeFirst();
    }
  }

  /** Removes the bars and leaves the lines. */
  void close() {
    progress(BarSource.NONE);
    telemetry(BarSource.NONE);
    refresh();
  }

  private List<String> bars(TerminalStream.Size size) {
    int room = Math.max(2, size.rows() - LEAST_LINES);
    List<LabelledBar> work = progress.within(Math.max(1, room / 2));
    List<LabelledBar> all = new ArrayList<>(telemetry.within(Math.max(1, room - work.size())));
    all.addAll(work);
    List<LabelledBar> fitting = all.subList(0, Math.min(all.size(), size.rows()));
    return BarLines.of(fitting, Math.max(1, size.columns() - 1), style);
  }

  private void backToFirstBar(StringBuilder text) {
    text.append('\r');
    if (drawnBars > 1) {
      text.append(ESCAPE).append(drawnBars - 1).append('A');
    }
    text.append(ERASE_BELOW);
  }

  private void wholeScreen(StringBuilder text, List<String> bars, TerminalStream.Size size) {
    text.append(HOME);
    List<String> news = rows(unwritten, size.columns()); // all, even if they scroll away
    List<String> rows = rows(kept, size.columns());
    int room = Math.max(0, size.rows() - bars.size() - news.size());
    rows = new ArrayList<>(rows.subList(Math.max(0, rows.size() - room), rows.size()));
    rows.addAll(news);
    rows.forEach(row -> text.append(ERASE_LINE).append(row).append(NEXT));
    text.append(ERASE_BELOW).append(String.join(NEXT, bars));
  }

  /** Splits lines into rows of the terminal, which wraps long lines. */
  private static List<String> rows(Collection<String> lines, int columns) {
    List<String> rows = new ArrayList<>();
    for (String line : lines) {
      int at = 0;
      do {
        int end = Math.min(line.length(), at + columns);
        rows.add(line.substring(at, end));
        at = end;
      } while (at < line.length());
    }
    return rows;
  }
}
