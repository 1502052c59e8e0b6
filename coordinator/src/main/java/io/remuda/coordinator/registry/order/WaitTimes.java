package io.remuda.coordinator.registry.order;

/**
 * Since when a job waits, on the monotonic clock in nanoseconds.
 *
 * @param inLineSince when it came, or was released or had its dependencies met
 * @param placedAt when a task of it last got a place, or {@code inLineSince} if none has
 */
public record WaitTimes(long inLineSince, long placedAt) {

  private static final long NANOS_OF_MILLI = 1_000_000;

  /** Returns the times of a job that begins to wait now. */
  public static WaitTimes since(long now) {
    return new WaitTimes(now, now);
  }

  /** Returns the times after a task has got a place. */
  public WaitTimes placed(long now) {
    return new WaitTimes(inLineSince, now);
  }

  /** Returns how old the job is, in milliseconds. */
  long ageMillis(long now) {
    return Math.max(0, (now - inLineSince) / NANOS_OF_MILLI);
  }

  /** Returns for how long none of its tasks has got a place, in milliseconds. */
  long sincePlacedMillis(long now) {
    return Math.max(0, (now - placedAt) / NANOS_OF_MILLI);
  }
}
