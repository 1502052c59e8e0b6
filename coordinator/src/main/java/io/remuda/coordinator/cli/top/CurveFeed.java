package io.remuda.coordinator.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.BarStyle;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Requests curves of what is on the screen, on a thread of its own: a history that is slow, or that
 * does not answer, delays no picture. Curves are as old as the last answer, at best 10 s.
 */
public final class CurveFeed implements AutoCloseable {

  /** Requests a part of the history from the server. */
  public interface HistorySource {
    /**
     * @param query of {@code GET /history}
     */
    JsonNode ask(String query) throws IOException, InterruptedException;
  }

  /**
   * What is on the screen.
   *
   * @param at time by the server's clock
   * @param gpus UUIDs
   * @param jobs numbers
   */
  record OnScreen(Instant at, List<String> gpus, List<Long> jobs) {

    private boolean isOfSame(OnScreen other) {
      return other != null && gpus.equals(other.gpus) && jobs.equals(other.jobs);
    }
  }

  private static final long BETWEEN_NANOS = Duration.ofSeconds(10).toNanos();

  /** Names in one request, as many as an address has room for. */
  private static final int MOST_NAMES = 60;

  /** Of a screen; more rows have no curve. */
  private static final int MOST_ROWS = 240;

  private final HistorySource source;
  private final BarStyle style;
  private final Thread thread = DaemonThread.of("top-curves", this::run);
  private OnScreen wanted;
  private volatile TopCurves curves = TopCurves.NONE;

  /** Starts the thread. */
  public CurveFeed(HistorySource source, BarStyle style) {
    this.source = source;
    this.style = style;
    thread.start();
  }

  /** Says what is on the screen now. */
  synchronized void want(OnScreen onScreen) {
    wanted = onScreen;
    notifyAll();
  }

  /** Returns the newest curves; does not wait. */
  TopCurves curves() {
    return curves;
  }

  private void run() {
    try {
      OnScreen asked = next(null, 0);
      while (true) {
        long askedAt = System.nanoTime();
        ask(asked);
        asked = next(asked, askedAt);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until something else is on the screen than was asked for, or that is 10 s ago. */
  private synchronized OnScreen next(OnScreen asked, long askedAt) throws InterruptedException {
    while (wanted == null) {
      wait();
    }
    long left = BETWEEN_NANOS - (System.nanoTime() - askedAt);
    while (wanted.isOfSame(asked) && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = BETWEEN_NANOS - (System.nanoTime() - askedAt);
    }
    return wanted;
  }

  private void ask(OnScreen screen) throws InterruptedException {
    long to = screen.at().getEpochSecond() + 1;
    String time =
        "&points="
            + TopCurves.POINTS
            + "&from="
            + (to - TopCurves.SECONDS)
            + "&to="
            + to
            + "&name=";
    TopCurves.Drawing drawing = new TopCurves.Drawing(style);
    try {
      for (String names : portions(screen.gpus())) {
        drawing.gpus(source.ask("kind=gpu&metric=utilization" + time + names));
      }
      for (String names : portions(screen.jobs())) {
        drawing.tasks(source.ask("kind=task&metric=cpu,gpuUtilization" + time + names));
      }
      curves = drawing.curves();
    } catch (IOException | RuntimeException unknown) {
      // the curves stay as they are: the picture says whether the server answers, and one of an
      // earlier build, or without a history, has none
      return;
    }
  }

  private static List<String> portions(List<?> names) {
    List<String> all = names.stream().limit(MOST_ROWS).map(Object::toString).toList();
    return IntStream.range(0, (all.size() + MOST_NAMES - 1) / MOST_NAMES)
        .mapToObj(
            part ->
                all.stream()
                    .skip((long) part * MOST_NAMES)
                    .limit(MOST_NAMES)
                    .collect(Collectors.joining(",")))
        .toList();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
