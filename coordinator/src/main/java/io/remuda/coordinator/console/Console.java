package io.remuda.coordinator.console;

import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.render.TelemetryBars;
import io.remuda.telemetry.render.TelemetryLines;
import io.remuda.thread.DaemonThread;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Prints lines in the order in which they were given, on a separate thread, so that a reader that
 * stops reading (a paused pager, a full pipe) does not stop heartbeats. While the reader is far
 * behind, notes and telemetry lines are left out and counted, but never results. Thread-safe.
 */
public final class Console implements AutoCloseable {

  private static final int MOST_WAITING = 10_000;
  private static final long REFRESH_MILLIS = 100;

  private final Consumer<String> lines;
  private final Consumer<String> notes;
  private final Consumer<String> reports;
  private final LiveScreen screen;
  private final BooleanSupplier broken;
  private final AtomicReference<ConsoleWatcher> watcher =
      new AtomicReference<>(ConsoleWatcher.NONE);
  private final AtomicReference<Runnable> closed = new AtomicReference<>();
  private final TelemetryBars bars = new TelemetryBars();
  private final Map<String, NodeSample> newestSamples = new LinkedHashMap<>();
  private final AtomicReference<BarSource> newestProgress = new AtomicReference<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger leftOut = new AtomicInteger();

  /** Drops lines after {@link #close}: a late note must not raise an exception in its thread. */
  private final ScheduledThreadPoolExecutor writer =
      new ScheduledThreadPoolExecutor(
          1, task -> DaemonThread.of("console", task), new ThreadPoolExecutor.DiscardPolicy());

  private Console(
      Consumer<String> lines,
      Consumer<String> notes,
      Consumer<String> reports,
      LiveScreen screen,
      BooleanSupplier broken) {
    this.broken = broken;
    this.lines = lines;
    this.notes = notes;
    this.reports = reports;
    this.screen = screen;
    if (screen != null) {
      writer.scheduleWithFixedDelay(this::refresh, 0, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Returns a console over three streams, some of which may be equal.
   *
   * @param lines for the lines of the run
   * @param notes for progress and warnings
   * @param reports for the report for programs
   */
  public static Console of(PrintStream lines, PrintStream notes, PrintStream reports) {
    return new Console(printTo(lines), printTo(notes), printTo(reports), null, lines::checkError);
  }

  /**
   * Returns a console with bars, above which the run's lines appear.
   *
   * @param notes for progress and warnings, or null if they appear above the bars, too
   * @param reports for the report for programs, or null if it appears above the bars, too
   */
  public static Console live(LiveScreen screen, PrintStream notes, PrintStream reports) {
    Consumer<String> above = screen::above;
    return new Console(
        above,
        notes == null ? above : printTo(notes),
        reports == null ? above : printTo(reports),
        screen,
        () -> false);
  }

  /**
   * Sets a callback that runs once, on the console's thread, when the stream of the run's lines was
   * closed by its reader.
   */
  public void onClosed(Runnable told) {
    closed.set(told);
  }

  /** Sets who is told all that the console gets from now on. */
  public void watchedBy(ConsoleWatcher told) {
    watcher.set(told);
  }

  private static Consumer<String> printTo(PrintStream stream) {
    return text -> {
      stream.println(text);
      stream.flush();
    };
  }

  /** Returns whether telemetry and progress are shown as bars. */
  public boolean showsBars() {
    return screen != null;
  }

  /** Prints a line of the run. */
  public void line(String text) {
    watcher.get().said(text);
    print(lines, text);
  }

  /** Prints progress or a warning. */
  public void note(String text) {
    watcher.get().said(text);
    print(notes, text);
  }

  /** Prints telemetry as a line, or as bars in place of the old ones. */
  public void sampled(NodeSample sample) {
    watcher.get().sampled(sample);
    if (screen == null) {
      print(lines, TelemetryLines.plain(sample));
      return;
    }
    synchronized (newestSamples) {
      newestSamples.put(sample.node(), sample);
    }
  }

  /** Shows the progress of the work; only if there are bars. */
  public void progress(BarSource work) {
    newestProgress.set(work);
  }

  /** Draws the newest bars; skips older ones, so that a paused terminal does not block the run. */
  private void refresh() {
    synchronized (newestSamples) {
      if (!newestSamples.isEmpty()) {
        newestSamples.values().forEach(bars::add);
        newestSamples.clear();
        screen.telemetry(bars::within);
      }
    }
    Optional.ofNullable(newestProgress.getAndSet(null)).ifPresent(screen::progress);
    try {
      screen.refresh();
    } catch (RuntimeException fault) { // an exception would end the timer
      screen.telemetry(BarSource.NONE);
      screen.progress(BarSource.NONE);
      screen.above("the bars cannot be drawn: " + fault);
    }
  }

  /** Prints the report for programs; never left out. */
  public void report(String json) {
    waiting.incrementAndGet();
    writer.execute(() -> write(reports, json));
  }

  /** Prints a line that is never left out. */
  public void result(String text) {
    watcher.get().result(text);
    waiting.incrementAndGet();
    writer.execute(() -> write(lines, text));
  }

  private void print(Consumer<String> to, String text) {
    if (waiting.get() >= MOST_WAITING) {
      leftOut.incrementAndGet();
      return;
    }
    waiting.incrementAndGet();
    writer.execute(() -> write(to, text));
  }

  private void write(Consumer<String> to, String text) {
    waiting.decrementAndGet();
    int missing = leftOut.getAndSet(0);
    if (missing > 0) {
      notes.accept(missing + " lines were left out: the reader was too slow");
    }
    to.accept(PrintableText.lines(text));
    if (closed.get() != null && broken.getAsBoolean()) {
      Optional.ofNullable(closed.getAndSet(null)).ifPresent(Runnable::run);
    }
  }

  /** Waits without a timeout until all lines are printed; a second signal ends the process. */
  @Override
  public void close() {
    if (screen != null) {
      writer.execute(screen::close);
    }
    writer.shutdown(); // drops the next refresh, but no queued lines
    try {
      while (!writer.awaitTermination(1, TimeUnit.MINUTES)) {
        // the reader has paused: waits on, so that no result is lost
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
