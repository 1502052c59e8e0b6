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
 * wait, but within a minute nearly absolute. The interval has the errors between the levels 5 % and
 * 95 %, k / (n + 1) as in split conformal prediction (Vovk, Gammerman, Shafer, Algorithmic Learning
 * in a Random World, 2005), which 90 % keep if jobs are exchangeable. As they are not, because load
 * and users change, each end is moved on: {@code late += step (missed - 0.05)}, so that in the long
 * run 5 % miss it whatever happens (Gibbs, Candès, Adaptive Conformal Inference Under Distribution
 * Shift, NeurIPS 2021; on the scale of the errors, which has no end, as in Angelopoulos, Candès,
 * Tibshirani, Conformal PID Control, NeurIPS 2023). Errors of forecasts of about the same length
 * count alone if there are enough. A job that still waits after its interval counts at once:
 * otherwise a sudden load would be learned only once it is over.
 */
public final class StartIntervals {

  /** Fewer forecasts say nothing: 19 give the level 0.95 at all, and their extremes vary a lot. */
  public static final int LEAST = 40;

  /**
   * Fewer forecasts of about the same length do not count alone: in the first burst of a trace the
   * long ones were few, and of intervals made of 40 of them 87 % held, of 150 and more 89 %.
   */
  static final int LEAST_ALIKE = 150;

  /** Share of starts before the interval, and of those after it. */
  private static final double EACH_SIDE = 0.05;

  /**
   * How far a miss moves an end, as a part of the distance of both: ten misses in a row double it,
   * and it takes 19 hits to undo one.
   */
  private static final double STEP = 0.1;

  /** The least distance that is moved by a part of, in the unit of the errors: about 20 %. */
  private static final double LEAST_DISTANCE = 0.2;

  private static final double CLOSE_MILLIS = 60_000;
  private static final long SECOND = 1000;
  private static final double MEDIAN = 0.5;

  /** Ten thousand times as long as expected. */
  private static final double MOST_ERROR = 9.2;

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
    long from = waited(waitMillis, at(errors, EACH_SIDE) - known.early());
    long until = waited(waitMillis, at(errors, 1 - EACH_SIDE) + known.late());
    int shown = 0;
    int held = 0;
    for (StartErrors.Day one : known.days()) {
      shown += one.day() > day - StartErrors.DAYS ? one.all() : 0;
      held += one.day() > day - StartErrors.DAYS ? one.kept() : 0;
    }
    long likely = waited(waitMillis, at(errors, MEDIAN));
    return Optional.of(
        new Interval(from / SECOND * SECOND, likely, (until / SECOND + 1) * SECOND, shown, held));
  }

  /** Returns the error at a level by the nearest rank. */
  private static double at(int[] errors, double level) {
    int rank = (int) Math.round(level * (errors.length + 1));
    return errors[Math.max(1, Math.min(errors.length, rank)) - 1] / MILLION;
  }

  private static long waited(long expectedMillis, double error) {
    double factor = Math.exp(Math.min(MOST_ERROR, error));
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
    return alike.length >= LEAST_ALIKE ? alike : sorted[LENGTHS.size() + 1];
  }

  private static int length(long waitMillis) {
    int length = 0;
    while (length < LENGTHS.size() && waitMillis > LENGTHS.get(length)) {
      length++;
    }
    return length;
  }

  /**
   * Learns from a forecast of a job that has started, or that still waits after its interval.
   *
   * @param expectedMillis how long it was to wait on
   * @param shown its interval, if it is to be counted; else null
   * @param waitedMillis how long it has waited on, 0 or more
   * @param day since 1970
   */
  public void waited(long expectedMillis, Interval shown, long waitedMillis, long day) {
    if (shown != null) {
      boolean early = waitedMillis < shown.fromMillis();
      boolean late = waitedMillis > shown.untilMillis();
      int[] errors = errors(expectedMillis);
      double distance = at(errors, 1 - EACH_SIDE) - at(errors, EACH_SIDE);
      double step = STEP * Math.max(LEAST_DISTANCE, distance);
      known =
          known
              .corrected(
                  known.early() + step * ((early ? 1 : 0) - EACH_SIDE),
                  known.late() + step * ((late ? 1 : 0) - EACH_SIDE))
              .counted(day, !early && !late);
    }
    double error =
        Math.log((waitedMillis + CLOSE_MILLIS) / (Math.max(0, expectedMillis) + CLOSE_MILLIS));
    known = known.and(new StartErrors.Error(expectedMillis, (int) Math.round(error * MILLION)));
    sorted = null;
  }
}
