package io.remuda.coordinator.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long the newest runs of one type took that have succeeded, and how far that is trusted.
 *
 * <p>A level is given by order statistics: of n runs the k-th shortest is the level k / (n + 1),
 * which the next run keeps with exactly this probability if it is of the same kind as the others,
 * whatever their distribution. So few runs give only low levels, and a level beyond the longest run
 * is not known.
 *
 * @param millis durations of the newest {@value #WINDOW} runs at most, the oldest first
 * @param doubts how often the estimate is doubled, because a run that was let past a waiting job
 *     has taken longer and delayed it; 0 to {@value #MOST_DOUBTS}
 * @param kept number of runs since the last doubt that took no longer than estimated
 */
public record RunTimes(List<Long> millis, int doubts, int kept) {

  /** Number of runs that count; older ones say less of the present than they help. */
  static final int WINDOW = 64;

  /**
   * The level at which a run is taken to have ended: one in ten that are let past a waiting job
   * because of it may delay this job. The lower level 0.8 lets hardly more past, as durations of a
   * type are close together or very different; 0.95 needs 19 runs in place of 9 before it is known,
   * which many types of a small lab never have.
   */
  static final double SURE = 0.9;

  /** An estimate is doubled so often at most, to 64 times what was measured. */
  static final int MOST_DOUBTS = 6;

  /**
   * Number of right estimates in a row that take one doubt away: at the level {@value #SURE} one in
   * ten is wrong anyway.
   */
  static final int RIGHT_TO_TRUST = 10;

  private static final double MEDIAN = 0.5;

  /** Against 0.9 * 10 = 9.000000000000002 and the like. */
  private static final double ROUNDING = 1e-9;

  /** No runs. */
  public static final RunTimes NONE = new RunTimes(List.of(), 0, 0);

  public RunTimes {
    millis = millis == null ? List.of() : List.copyOf(millis);
  }

  /** Returns these with a further run, whose estimate was right if it took no longer. */
  public RunTimes ran(long newest) {
    List<Long> all = new ArrayList<>(millis.size() + 1);
    all.addAll(millis.size() < WINDOW ? millis : millis.subList(1, millis.size()));
    all.add(newest);
    if (doubts == 0) {
      return new RunTimes(all, 0, 0);
    }
    OptionalLong estimate = surely();
    boolean right = estimate.isEmpty() || newest <= estimate.getAsLong();
    int rights = right ? kept + 1 : 0;
    return rights >= RIGHT_TO_TRUST
        ? new RunTimes(all, doubts - 1, 0)
        : new RunTimes(all, doubts, rights);
  }

  /** Returns these after a run has delayed a job that it was let past. */
  public RunTimes doubted() {
    return new RunTimes(millis, Math.min(MOST_DOUBTS, doubts + 1), 0);
  }

  /** Returns the number of runs that count. */
  public int count() {
    return millis.size();
  }

  /** Returns the milliseconds after which a run has ended with this probability, if known. */
  public OptionalLong quantile(double level) {
    int rank = (int) Math.ceil(level * (millis.size() + 1) - ROUNDING);
    return rank < 1 || rank > millis.size()
        ? OptionalLong.empty()
        : OptionalLong.of(sorted()[rank - 1]);
  }

  /** Returns the milliseconds after which a run has very likely ended; empty if not known. */
  public OptionalLong surely() {
    OptionalLong level = quantile(SURE);
    return level.isEmpty() ? level : OptionalLong.of(level.getAsLong() << doubts);
  }

  /**
   * Returns the milliseconds that a run takes on from now, as likely longer as shorter: those of
   * the runs that took longer than it has, and as long again as it has if none did.
   *
   * @param ran how long it has run, 0 or more
   * @return empty without runs
   */
  public OptionalLong leftAfter(long ran) {
    if (millis.isEmpty()) {
      return OptionalLong.empty();
    }
    long[] all = sorted();
    int first = 0;
    while (ran > 0 && first < all.length && all[first] <= ran) {
      first++;
    }
    int longer = all.length - first;
    return OptionalLong.of(
        longer == 0 ? Math.max(1, ran) : all[first + (int) (longer * MEDIAN)] - ran);
  }

  /** Returns what a run takes, as likely longer as shorter; empty without runs. */
  @JsonIgnore
  public OptionalLong usual() {
    return leftAfter(0);
  }

  /** Sorted without streams: every plan asks for a level of each job that may start. */
  private long[] sorted() {
    long[] all = new long[millis.size()];
    int next = 0;
    for (long one : millis) {
      all[next++] = one;
    }
    Arrays.sort(all);
    return all;
  }
}
