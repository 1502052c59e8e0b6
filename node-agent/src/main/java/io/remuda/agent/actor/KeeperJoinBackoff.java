package io.remuda.agent.actor;

import java.time.Duration;

/**
 * Decides how long the port waits before it joins or starts a keeper again; no side effects besides
 * reading the monotonic clock. One thread.
 */
final class KeeperJoinBackoff {

  private static final Duration SHORT_PAUSE = Duration.ofMillis(100);
  private static final Duration LONG_PAUSE = Duration.ofSeconds(5);

  /** Number of failed joins in a row from which on a keeper counts as silent. */
  private static final int MOST_FAILURES = 12;

  /**
   * The same for a keeper that is stopped: about 20 s. Without a connection this side does not know
   * the contact deadlines that a stopped keeper does not watch.
   */
  private static final int MOST_FAILURES_OF_STOPPED = 2;

  private long joinedAt;

  /** Wait before the next join; null before the first. */
  private Duration pause;

  /** Wait before another keeper is started. */
  private Duration launchPause = SHORT_PAUSE;

  private int failures;

  /** Notes that a keeper was joined. */
  void joined() {
    joinedAt = System.nanoTime();
  }

  /** Notes that a join has failed. */
  void failed() {
    failures++;
  }

  /** Notes that the failures in a row are over. */
  void forgetFailures() {
    failures = 0;
  }

  /**
   * Returns whether so many joins in a row have failed that a live keeper is reported as silent,
   * and is replaced if a task must be ended.
   */
  boolean isKeeperSilent() {
    return failures > MOST_FAILURES;
  }

  /** Returns whether so many joins in a row have failed that a stopped keeper is given up. */
  boolean isStoppedForLong() {
    return failures > MOST_FAILURES_OF_STOPPED;
  }

  /** Returns the time since the last join in milliseconds. */
  long millisSinceJoin() {
    return (System.nanoTime() - joinedAt) / 1_000_000;
  }

  /**
   * Returns the wait before a live keeper is joined again; it grows unless the last join lasted.
   */
  Duration nextPause() {
    boolean stayed = millisSinceJoin() > LONG_PAUSE.toMillis() * 2;
    pause = pause == null || stayed ? SHORT_PAUSE : longer(pause);
    return pause;
  }

  /** Notes that a keeper was started or is there. */
  void launched() {
    launchPause = SHORT_PAUSE;
  }

  /** Notes that no keeper could be started. Each try starts a program, so the wait grows. */
  void launchFailed() {
    launchPause = longer(launchPause);
  }

  /** Returns the wait before another keeper is started. */
  Duration launchPause() {
    return launchPause;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONG_PAUSE) > 0 ? LONG_PAUSE : twice;
  }
}
