package io.remuda.agent.clock;

import java.time.Duration;

/**
 * The time by which old things are removed. A clock that is wrong by a month would remove all of
 * them, and nothing brings them back. So a clock that is more than a day ahead of the time that was
 * last known, or leaps ahead of the monotonic one by more than an hour, is doubted: until it has
 * gone evenly for a day of running, the known time counts, and goes on by the monotonic clock. A
 * clock that is set back is believed at once, for it removes less. One thread.
 */
public final class TrustedTime {

  /** Further ahead of the last known time a clock is doubted. */
  static final Duration LEAP = Duration.ofDays(1);

  /** So much more than the monotonic clock it may go between two looks. */
  static final Duration UNEVEN = Duration.ofHours(1);

  /** So long it has to go evenly, in all processes together, to be believed again. */
  static final Duration STEADY = Duration.ofDays(1);

  /**
   * What outlives a process; milliseconds.
   *
   * @param seen the time that counts, since 1970; 0 if none was ever seen
   * @param doubted what a clock last said that is not believed, since 1970; 0 if it is
   * @param steady how long that one has gone evenly
   */
  public record ClockReading(long seen, long doubted, long steady) {

    /** Nothing yet: the first look is believed. */
    public static final ClockReading NOTHING = new ClockReading(0, 0, 0);

    /** Whether the clock is not believed. */
    public boolean isDoubted() {
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

  /** Goes on with what an earlier process knew. */
  public TrustedTime(ClockReading known) {
    this.known = known;
  }

  /**
   * Looks at the clocks.
   *
   * @param wallMillis since 1970, as the wall clock says
   * @param nanos of the monotonic clock
   * @return what is known then; its {@code seen} is the time to remove by
   */
  public ClockReading look(long wallMillis, long nanos) {
    long ran = looked ? Duration.ofNanos(nanos - lastNanos).toMillis() : 0;
    boolean even =
        looked
            ? wallMillis - lastWall - ran <= UNEVEN.toMillis()
            : known.isDoubted() && wallMillis - known.doubted() <= LEAP.toMillis();
    known = known.isDoubted() ? doubted(wallMillis, ran, even) : believed(wallMillis, ran, even);
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
    boolean right = wall - seen <= UNEVEN.toMillis(); // it was set right again
    return right || steady >= STEADY.toMillis()
        ? ClockReading.believed(wall)
        : new ClockReading(seen, wall, steady);
  }
}
