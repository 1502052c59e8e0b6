package io.remuda.coordinator.cli.waiting;

import io.remuda.worker.job.SizeAndTimeParser;
import java.util.Locale;
import java.util.Optional;

/**
 * How far the tasks are that are waited for, as one line: a bar, numbers, and the rate since the
 * wait began, with the time that the rest takes at this rate. On a terminal the line is drawn again
 * in place; elsewhere it is printed at most every ten seconds, if it says something new.
 */
public final class WaitProgress {

  /** Where the lines go. */
  public enum Place {
    TERMINAL,
    LINES
  }

  private static final int WIDTH = 30;
  private static final long PAUSE_MILLIS = 10_000;
  private static final double MILLIS_OF_MINUTE = 60_000;
  private static final String CLEAR = "\r\u001b[K";

  private final Place place;
  private final long begin;
  private TaskSums first;
  private TaskSums said;
  private long saidAt;

  /**
   * @param now milliseconds on any clock
   */
  public WaitProgress(Place place, long now) {
    this.place = place;
    this.begin = now;
  }

  /** Returns what to print now, with the end of the line if it has one. */
  public Optional<String> next(TaskSums sums, boolean over, long now) {
    first = first == null ? sums : first;
    boolean isNew = !sums.equals(said);
    if (place == Place.LINES
        && (!isNew || (said != null && !over && now - saidAt < PAUSE_MILLIS))) {
      return Optional.empty();
    }
    said = sums;
    saidAt = now;
    String text = text(sums, now);
    return Optional.of(place == Place.TERMINAL ? CLEAR + text + (over ? "\n" : "") : text + "\n");
  }

  /** Returns what removes the line from a terminal, so that another one can be printed. */
  public String cleared() {
    return place == Place.TERMINAL && said != null ? CLEAR : "";
  }

  private String text(TaskSums sums, long now) {
    int full = sums.all() == 0 ? WIDTH : (int) ((long) sums.ended() * WIDTH / sums.all());
    String bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] ";
    return (place == Place.TERMINAL ? bar : "")
        + String.format(Locale.ROOT, "%,d/%,d ended", sums.ended(), sums.all())
        + part(sums.failed(), "failed")
        + part(sums.running(), "running")
        + rate(sums, now);
  }

  private static String part(int count, String what) {
    return count == 0 ? "" : String.format(Locale.ROOT, ", %,d %s", count, what);
  }

  private String rate(TaskSums sums, long now) {
    int ended = sums.ended() - first.ended();
    int left = sums.all() - sums.ended();
    if (ended <= 0 || now <= begin) {
      return left == 0 ? "" : ", no rate yet";
    }
    double perMinute = ended * MILLIS_OF_MINUTE / (now - begin);
    long seconds = Math.round(left / perMinute * MILLIS_OF_MINUTE / 1000);
    String rate = String.format(Locale.ROOT, perMinute < 10 ? "%.1f" : "%.0f", perMinute);
    return ", " + rate + " a minute" + (left == 0 ? "" : ", about " + words(seconds) + " left");
  }

  private static String words(long seconds) {
    long rounded =
        seconds < 120 ? seconds : seconds < 7200 ? seconds / 60 * 60 : seconds / 3600 * 3600;
    return SizeAndTimeParser.words(Math.max(1, rounded) * 1000);
  }
}
