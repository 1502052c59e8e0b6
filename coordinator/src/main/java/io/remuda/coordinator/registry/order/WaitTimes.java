package io.remuda.coordinator.registry.order;

/**
 * Since when a job waits, on the monotonic clock in nanoseconds.
 *
 * @param inLineSince when it came, or was released or had its dependencies met
 * @param placedAt when a task of it last got a place, or {@code inLineSince} if none has
 * @param ofMany whether it has several tasks that do not start together
 */
public record WaitTimes(long inLineSince, long placedAt, boolean ofMany) {

  private static final long NANOS_OF_MILLI = 1_000_000;

  /** Returns how old the job is, in milliseconds. */
  long ageMillis(long now) {
    return Math.max(0, (now - inLineSince) / NANOS_OF_MILLI);
  }

  /**
   * Returns how long the job has got nothing, in milliseconds: it may be preempted and wait again,
   * but of many tasks each that starts is progress.
   *
   * @param ranMillis how long the task has run in all
   */
  long waitedMillis(long ranMillis, long now) {
    return ofMany
        ? Math.max(0, (now - placedAt) / NANOS_OF_MILLI)
        : Math.max(0, ageMillis(now) - ranMillis);
  }
}
