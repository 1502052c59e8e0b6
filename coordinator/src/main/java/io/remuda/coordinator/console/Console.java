package io.remuda.coordinator.console;

import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.telemetry.render.TelemetryBars;
import io.remuda.telemetry.render.TelemetryLines;
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
 * Prints lines in the order they were given, from a thread of its own, so that a reader that stops
 * reading (a paused pager, a full pipe) stops no heartbeat. While the reader is far behind, notes
 * and telemetry lines are left out and counted; results never are. Thread-safe.
 */
public final class Console implements AutoCloseable {

  private static final int MOST_WAITING = 10_000;
  private static final long REFRESH_MILLIS = 100;

  private final Consumer<String> lines;
  private final Consumer<String> notes;
  private final Consumer<String> reports;
  private final LiveScreen screen;
  private final BooleanSupplier broken;
  private final AtomicReference<Runnable> closed = new AtomicReference<>();
  private final TelemetryBars bars = new TelemetryBars();
  private final Map<String, NodeSample> newestSamples = new LinkedHashMap<>();
  private final AtomicReference<BarSource> newestProgress = new AtomicReference<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger leftOut = new AtomicInteger();

  /** What comes after the end is dropped: a late note must not be a fault of its thread. */
  private final ScheduledThreadPoolExecutor writer =
      new ScheduledThreadPoolExecutor(1, Console::daemon, new ThreadPoolExecutor.DiscardPolicy());

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
   * A console over three streams, some of which may be the same.
   *
   * @param lines where the run's lines go
   * @param notes where progress and warnings go
   * @param reports where the report for programs goes
   */
  public static Console of(PrintStream lines, PrintStream notes, PrintStream reports) {
    return new Console(printTo(lines), printTo(notes), printTo(reports), null, lines::checkError);
  }

  /**
   * A console with bars, above which the run's lines appear.
   *
   * @param notes where progress and warnings go, or null if they appear above the bars, too
   * @param reports where the report for programs goes, or null if that is the screen
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
   * Whom to tell, once and on the console's thread, that nobody reads the run's lines any more.
   * Nobody is told before this is called.
   */
  public void onClosed(Runnable told) {
    closed.set(told);
  }

  private static Consumer<String> printTo(PrintStream stream) {
    return text -> {
      stream.println(text);
      stream.flush();
    };
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "console");
    thread.setDaemon(true);
    return thread;
  }

  /** Whether telemetry and progress are shown as bars. */
  public boolean showsBars() {
    return screen != null;
  }

  /** A line of the run. */
  public void line(String text) {
    print(lines, text);
  }

  /** Progress or a warning. */
  public void note(String text) {
    print(notes, text);
  }

  /** Telemetry: a line, or new bars in place of the old ones. */
  public void sampled(NodeSample sample) {
    if (screen == null) {
      line(TelemetryLines.plain(sample));
      return;
    }
    synchronized (newestSamples) {
      newestSamples.put(sample.node(), sample);
    }
  }

  /** How far the work is; shown only as bars. */
  public void progress(BarSource work) {
    newestProgress.set(work);
  }

  /** Draws the newest of all, however much came since; a paused terminal holds nothing else up. */
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
    } catch (RuntimeException fault) { // a timer that fails once would never draw a line again
      screen.telemetry(BarSource.NONE);
      screen.progress(BarSource.NONE);
      screen.above("the bars cannot be drawn: " + fault);
    }
  }

  /** The report for programs: always on standard output. */
  public void report(String json) {
    waiting.incrementAndGet();
    writer.execute(() -> write(reports, json));
  }

  /** A line that is never left out. */
  public void result(String text) {
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

  /** Waits until all is printed, for as long as the reader takes; a signal ends that, too. */
  @Override
  public void close() {
    if (screen != null) {
      writer.execute(screen::close);
    }
    writer.shutdown(); // drops the next refresh, not what is to be printed
    try {
      while (!writer.awaitTermination(1, TimeUnit.MINUTES)) {
        // the reader has paused; the results are not lost
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
