package io.remuda.coordinator.service;

import java.time.Duration;

/**
 * Measures how long a server has been idle, by polls. A job that started and ended between two
 * polls is noticed by its number. Times are nanoseconds of one monotonic clock.
 */
final class ServerIdleTime {

  private long newest;
  private long since;

  ServerIdleTime(long now) {
    since = now;
  }

  /**
   * Records the result of a poll.
   *
   * @param live whether there is a job that has not ended
   * @param newestJob the highest job number, 0 without jobs
   */
  void look(boolean live, long newestJob, long now) {
    if (live || newestJob != newest) {
      busy(now);
    }
    newest = newestJob;
  }

  /** Starts the idle time again. */
  void busy(long now) {
    since = now;
  }

  boolean isLongerThan(Duration limit, long now) {
    return now - since > limit.toNanos();
  }
}
