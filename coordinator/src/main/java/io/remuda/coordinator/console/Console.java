package io.remuda.coordinator.console;

import java.io.PrintStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Prints lines in the order they were given, from a thread of its own, so that a reader that stops
 * reading (a paused pager, a full pipe) stops no heartbeat. While the reader is far behind, notes
 * and telemetry lines are left out and counted; results never are. Thread-safe.
 */
public final class Console implements AutoCloseable {

  private static final int MOST_WAITING = 10_000;

  private final PrintStream lines;
  private final PrintStream notes;
  private final PrintStream reports;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger leftOut = new AtomicInteger();

  /** What comes after the end is dropped: a late note must not be a fault of its thread. */
  private final ExecutorService writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Console::daemon,
          new ThreadPoolExecutor.DiscardPolicy());

  private Console(PrintStream lines, PrintStream notes, PrintStream reports) {
    this.lines = lines;
    this.notes = notes;
    this.reports = reports;
  }

  /**
   * A console over three streams, some of which may be the same.
   *
   * @param lines where the run's lines go
   * @param notes where progress and warnings go
   * @param reports where the report for programs goes
   */
  public static Console of(PrintStream lines, PrintStream notes, PrintStream reports) {
    return new Console(lines, notes, reports);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "console");
    thread.setDaemon(true);
    return thread;
  }

  /** A line of the run. */
  public void line(String text) {
    print(lines, text);
  }

  /** Progress or a warning. */
  public void note(String text) {
    print(notes, text);
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

  private void print(PrintStream stream, String text) {
    if (waiting.get() >= MOST_WAITING) {
      leftOut.incrementAndGet();
      return;
    }
    waiting.incrementAndGet();
    writer.execute(() -> write(stream, text));
  }

  private void write(PrintStream stream, String text) {
    waiting.decrementAndGet();
    int missing = leftOut.getAndSet(0);
    if (missing > 0) {
      notes.println(missing + " lines were left out: the reader was too slow");
    }
    stream.println(text);
    stream.flush();
  }

  /** Waits until all is printed, for as long as the reader takes; a signal ends that, too. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      while (!writer.awaitTermination(1, TimeUnit.MINUTES)) {
        // the reader has paused; the results are not lost
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
