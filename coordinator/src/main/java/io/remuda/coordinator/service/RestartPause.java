package io.remuda.coordinator.service;

/**
 * How long to wait before a program that has ended is started again: half a second, and twice as
 * long each time that it has not stayed up, to a minute. Times are milliseconds of one monotonic
 * clock. One thread.
 */
final class RestartPause {
  static final long FIRST_MILLIS = 500;
  static final long LONGEST_MILLIS = 60_000;

  /** A program that has run for so long has stayed up. */
  static final long STEADY_MILLIS = 5000;

  private long startedAt;
  private long pauseMillis;
  private long notBefore;

  /** Notes a start. */
  void started(long now) {
    startedAt = now;
  }

  /** Notes the end of what was started last, and returns the milliseconds to the next start. */
  long ended(long now) {
    boolean steady = now - startedAt >= STEADY_MILLIS;
    pauseMillis =
        steady || pauseMillis == 0 ? FIRST_MILLIS : Math.min(2 * pauseMillis, LONGEST_MILLIS);
    notBefore = now + pauseMillis;
    return pauseMillis;
  }

  /** Whether the pause is over. */
  boolean isOver(long now) {
    return pauseMillis == 0 || now - notBefore >= 0;
  }
}
