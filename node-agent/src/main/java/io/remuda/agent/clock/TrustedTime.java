package io.remuda.agent.clock;

import java.time.Duration;

/**
 * The time that decides which old things are removed. A clock that is a month ahead would remove
 * all of them irrecoverably. So the wall clock is doubted if it is more than a day ahead of the
 * last known time, or jumps ahead of the monotonic clock by more than an hour. While it is doubted,
 * the known time counts and advances with the monotonic clock. The wall clock is trusted again
 * after it has run evenly for a day of running time. A clock that is set back is trusted at once,
 * since that removes less. One thread.
 */
public final class TrustedTime {

  /** A clock further ahead of the last known time than this is doubted. */
  static final Duration LEAP = Duration.ofDays(1);

  /** Maximum lead over the monotonic clock between two readings. */
  static final Duration UNEVEN = Duration.ofHours(1);

  /** Time that a doubted clock must run evenly, summed over all processes, to be trusted again. */
  static final Duration STEADY = Duration.ofDays(1);

  /**
   * The state that outlives a process, in milliseconds.
   *
   * @param seen the time that counts, since 1970; 0 if none was ever seen
   * @param doubted last time of the doubted clock, since 1970; 0 if the clock is trusted
   * @param steady how long the doubted clock has run evenly
   */
  public record ClockReading(long seen, long doubted, long steady) {

    /** The state before the first reading; the first reading is trusted. */
    public static final ClockReading NOTHING = new ClockReading(0, 0, 0);

    /** Returns whether the clock is doubted. */
    public boolean inDoubt() {
      return doubted != 0;
    }

    private static ClockReading believed(long wall) {
      return new ClockReading(wall, 0, 0);
    }

    private boolean isNear(long wall) {
      return seen == 0 || wall - seen <= LEAP.toMillis();
    }
  }

  private ClockReading known;
  private boolean looked;
  private long lastWall;
  private long lastNanos;

  /**
   * @param known the state that an earlier process left
   */
  public TrustedTime(ClockReading known) {
    this.known = known;
  }

  /**
   * Reads the clocks.
   *
   * @param wallMillis wall-clock time since 1970
   * @param nanos time of the monotonic clock
   * @return the new state; its {@code seen} is the time to remove by
   */
  public ClockReading look(long wallMillis, long nanos) {
    long ran = looked ? Duration.ofNanos(nanos - lastNanos).toMillis() : 0;
    boolean even =
        looked
            ? wallMillis - lastWall - ran <= UNEVEN.toMillis()
            : known.inDoubt() && wallMillis - known.doubted() <= LEAP.toMillis();
    known = known.inDoubt() ? doubted(wallMillis, ran, even) : believed(wallMillis, ran, even);
    looked = true;
    lastWall = wallMillis;
    lastNanos = nanos;
    return known;
  }

  private ClockReading believed(long wall, long ran, boolean even) {
    boolean believable = looked ? even : known.isNear(wall);
    return believable ? ClockReading.believed(wall) : new ClockReading(known.seen() + ran, wall, 0);
  }

  private ClockReading doubted(long wall, long ran, boolean even) {
    long seen = known.seen() + ran;
    long steady = even ? known.steady() + ran : 0;
    boolean right = wall - seen <= UNEVEN.toMillis(); // it was corrected
    return right || steady >= STEADY.toMillis()
        ? ClockReading.believed(wall)
        : new ClockReading(seen, wall, steady);
  }
}
