package io.remuda.coordinator.cli.command;

import java.time.Duration;

/**
 * How long a server has had nothing to do, from looks at it now and then. A job that came and went
 * between two looks is known by its number. Times are nanoseconds of one monotonic clock.
 */
final class IdleTimer {

  private long newest;
  private long since;

  IdleTimer(long now) {
    since = now;
  }

  /**
   * What a look has shown.
   *
   * @param live whether any job is not over
   * @param newestJob the highest number of a job, 0 if there was none
   */
  void look(boolean live, long newestJob, long now) {
    if (live || newestJob != newest) {
      busy(now);
    }
    newest = newestJob;
  }

  /** It is doing something. */
  void busy(long now) {
    since = now;
  }

  boolean isLongerThan(Duration limit, long now) {
    return now - since > limit.toNanos();
  }
}
