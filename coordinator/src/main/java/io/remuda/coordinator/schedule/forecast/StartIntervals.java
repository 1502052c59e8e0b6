package io.remuda.coordinator.schedule.forecast;

import io.remuda.coordinator.profile.StartErrors;
import java.util.List;
import java.util.Optional;

/**
 * Intervals in which jobs start, made of forecasts and of how far earlier ones were off; 90 % of
 * them are to hold. Single-threaded.
 *
 * <p>The error of a forecast is {@code ln((w + c) / (e + c))}, where {@code e} is how long the job
 * was expected to wait on, {@code w} how long it did, and {@code c} one minute: relative to the
 * wait, but within a minute nearly absolute. Of the n newest errors the one of rank {@code ceil((1
 * - late) (n + 1))} is the upper end, that of rank {@code floor(early (n + 1))} the lower one; if
 * jobs are exchangeable, each side is missed with the probability {@code late} or {@code early}
 * (split conformal prediction: Vovk, Gammerman, Shafer, Algorithmic Learning in a Random World,
 * 2005). As they are not, because load and users change, both are steered: after each start {@code
 * late += step (0.05 - missed)}, so that the long-run share of misses is 5 % on each side whatever
 * happens (Gibbs, Candès, Adaptive Conformal Inference Under Distribution Shift, NeurIPS 2021).
 * Errors of forecasts of about the same length count alone if there are enough.
 */
public final class StartIntervals {

  /** Fewer forecasts say nothing: 19 give the level 0.95 at all, and their extremes vary a lot. */
  public static final int LEAST = 40;

  /** Share of starts before the interval, and of those after it. */
  private static final double EACH_SIDE = 0.05;

  /**
   * How much one start changes the risk. A larger step follows a change sooner and varies more:
   * Gibbs and Candès use 0.005 for thousands of outcomes; a cluster has hundreds in a month.
   */
  private static final double STEP = 0.01;

  private static final double MOST_RISK = 0.25;
  private static final double CLOSE_MILLIS = 60_000;
  private static final long SECOND = 1000;
  private static final double MILLION = 1e6;

  /** Forecasts up to each of these lengths are about as long as each other, and all others. */
  private static final List<Long> LENGTHS = List.of(600_000L, 7_200_000L);

  /**
   * When a job starts, in milliseconds from now, its ends in whole seconds.
   *
   * @param fromMillis 0 or more
   * @param likelyMillis as likely sooner as later: the forecast, less what forecasts are usually
   *     off
   * @param shown number of intervals of the last {@value StartErrors#DAYS} days whose jobs have
   *     started, each job as it was shown at several times
   * @param held number of those that were right
   */
  public record Interval(
      long fromMillis, long likelyMillis, long untilMillis, int shown, int held) {}

  private StartErrors known = StartErrors.NONE;

  /** Errors in order by length, and of all lengths as the last one; null until they are needed. */
  private int[][] sorted;

  /** Goes on from what was learned earlier. */
  public void restore(StartErrors earlier) {
    known = earlier;
    sorted = null;
  }

  /** Returns what is learned. */
  public StartErrors learned() {
    return known;
  }

  /**
   * Returns the interval of a job that is expected to wait on for so long; empty if too few have
   * started.
   *
   * @param day since 1970
   */
  public Optional<Interval> of(long waitMillis, long day) {
    int[] errors = errors(waitMillis);
    if (errors.length < LEAST) {
      return Optional.empty();
    }
    int low = (int) Math.floor(known.missedEarly() * (errors.length + 1));
    int high = (int) Math.ceil((1 - known.missedLate()) * (errors.length + 1));
    long from = waited(waitMillis, errors[Math.max(1, low) - 1]);
    long until = waited(waitMillis, errors[Math.min(errors.length, high) - 1]);
    int shown = 0;
    int held = 0;
    for (StartErrors.Day one : known.days()) {
      shown += one.day() > day - StartErrors.DAYS ? one.all() : 0;
      held += one.day() > day - StartErrors.DAYS ? one.kept() : 0;
    }
    long likely = waited(waitMillis, errors[errors.length / 2]);
    return Optional.of(
        new Interval(from / SECOND * SECOND, likely, (until / SECOND + 1) * SECOND, shown, held));
  }

  private static long waited(long expectedMillis, int millionths) {
    double factor = Math.exp(millionths / MILLION);
    return Math.max(0, Math.round((expectedMillis + CLOSE_MILLIS) * factor - CLOSE_MILLIS));
  }

  private int[] errors(long waitMillis) {
    if (sorted == null) {
      sorted = new int[LENGTHS.size() + 2][];
      for (int length = 0; length < sorted.length; length++) {
        int only = length;
        sorted[length] =
            known.errors().stream()
                .filter(one -> only == LENGTHS.size() + 1 || length(one.waitMillis()) == only)
                .mapToInt(StartErrors.Error::millionths)
                .sorted()
                .toArray();
      }
    }
    int[] alike = sorted[length(waitMillis)];
    return alike.length >= LEAST ? alike : sorted[LENGTHS.size() + 1];
  }

  private static int length(long waitMillis) {
    int length = 0;
    while (length < LENGTHS.size() && waitMillis > LENGTHS.get(length)) {
      length++;
    }
    return length;
  }

  /**
   * Learns from a forecast of a job that has started.
   *
   * @param expectedMillis how long it was to wait on
   * @param shown its interval; null if none was known
   * @param waitedMillis how long it has waited on, 0 or more
   * @param day since 1970
   */
  public void started(long expectedMillis, Interval shown, long waitedMillis, long day) {
    double error =
        Math.log((waitedMillis + CLOSE_MILLIS) / (Math.max(0, expectedMillis) + CLOSE_MILLIS));
    double early = known.errors().isEmpty() ? EACH_SIDE : known.missedEarly();
    double late = known.errors().isEmpty() ? EACH_SIDE : known.missedLate();
    StartErrors before = known;
    if (shown != null) {
      boolean tooEarly = waitedMillis < shown.fromMillis();
      boolean tooLate = waitedMillis > shown.untilMillis();
      early = steered(early, tooEarly);
      late = steered(late, tooLate);
      before = before.counted(day, !tooEarly && !tooLate);
    }
    known =
        before.and(
            new StartErrors.Error(expectedMillis, (int) Math.round(error * MILLION)), early, late);
    sorted = null;
  }

  private static double steered(double risk, boolean missed) {
    return Math.max(0, Math.min(MOST_RISK, risk + STEP * (EACH_SIDE - (missed ? 1 : 0))));
  }
}
