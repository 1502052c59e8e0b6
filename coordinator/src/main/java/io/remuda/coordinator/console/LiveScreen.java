package io.remuda.coordinator.console;

import io.remuda.telemetry.render.Bar;
import io.remuda.telemetry.render.BarLines;
import io.remuda.telemetry.render.BarStyle;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * A terminal whose last lines are bars, drawn again in place, and above them lines that scroll
 * away. One thread.
 *
 * <p>The cursor rests at the end of the last bar. A drawing goes up to the first bar, erases from
 * there, writes the new lines and then the bars. When the size has changed, nobody knows where the
 * terminal has put the old bars, so the whole screen is written again from the newest lines, which
 * are kept for that.
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
  private final Supplier<Tty.Size> terminal;
  private final BarStyle style;
  private final Deque<String> kept = new ArrayDeque<>();
  private final List<String> unwritten = new ArrayList<>();
  private BarSource telemetry = BarSource.NONE;
  private BarSource progress = BarSource.NONE;
  private Tty.Size drawnFor;
  private int drawnBars;
  private boolean changed;

  /**
   * A screen on which nothing is drawn yet.
   *
   * @param out the terminal
   * @param terminal its size, asked before each drawing
   */
  public LiveScreen(PrintStream out, Supplier<Tty.Size> terminal, BarStyle style) {
    this.out = out;
    this.terminal = terminal;
    this.style = style;
  }

  /** A line above the bars, with the next drawing. */
  void above(String text) {
    String line = printable(text);
    unwritten.add(line);
    kept.addLast(line);
    if (kept.size() > KEPT_LINES) {
      kept.removeFirst();
    }
  }

  /** What workers and drivers say must not move the cursor. */
  private static String printable(String text) {
    return text.replace('\t', ' ').replaceAll("\\p{Cntrl}", "?");
  }

  /** Bars of the machines from now on. */
  void telemetry(BarSource bars) {
    telemetry = bars;
    changed = true;
  }

  /** Bars of the work from now on, below those of the machines. */
  void progress(BarSource bars) {
    progress = bars;
    changed = true;
  }

  /** Draws these bars in place of those before. */
  public void show(BarSource bars) {
    telemetry(bars);
    refresh();
  }

  /** Draws what is new. */
  void refresh() {
    Tty.Size size = terminal.get();
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
    write(text);
    unwritten.clear();
    drawnBars = bars.size();
    drawnFor = size;
    changed = false;
  }

  /** Takes the bars away and leaves the lines. */
  void close() {
    StringBuilder text = new StringBuilder();
    backToFirstBar(text);
    unwritten.forEach(line -> text.append(line).append(NEXT));
    write(text);
    unwritten.clear();
    drawnBars = 0;
  }

  private void write(StringBuilder text) {
    out.print(text);
    out.flush();
  }

  private List<String> bars(Tty.Size size) {
    int room = Math.max(2, size.rows() - LEAST_LINES);
    List<Bar> work = progress.within(Math.max(1, room / 2));
    List<Bar> all = new ArrayList<>(telemetry.within(Math.max(1, room - work.size())));
    all.addAll(work);
    return BarLines.of(all, Math.max(1, size.columns() - 1), style);
  }

  private void backToFirstBar(StringBuilder text) {
    text.append('\r');
    if (drawnBars > 1) {
      text.append(ESCAPE).append(drawnBars - 1).append('A');
    }
    text.append(ERASE_BELOW);
  }

  private void wholeScreen(StringBuilder text, List<String> bars, Tty.Size size) {
    text.append(HOME);
    List<String> rows = newestRows(size.rows() - bars.size(), size.columns());
    rows.forEach(row -> text.append(ERASE_LINE).append(row).append(NEXT));
    text.append(ERASE_BELOW).append(String.join(NEXT, bars));
  }

  /** The newest lines as rows of the terminal, which breaks long lines. */
  private List<String> newestRows(int most, int columns) {
    List<String> rows = new ArrayList<>();
    for (String line : kept) {
      int at = 0;
      do {
        int end = Math.min(line.length(), at + columns);
        rows.add(line.substring(at, end));
        at = end;
      } while (at < line.length());
    }
    return rows.subList(Math.max(0, rows.size() - Math.max(0, most)), rows.size());
  }
}
