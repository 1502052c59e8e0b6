package io.remuda.agent.actor;

import java.time.Duration;

/**
 * When a node reports, pure: of a change at once, unless the node has enough to do without a word
 * of the coordinator, then of several changes together; and without changes with its heartbeats, of
 * which an idle node leaves some out while its samples say as well that it is alive.
 */
final class ReportPace {

  /** Changes that are not told at once are told within this time. */
  static final Duration TOLD_WITHIN = Duration.ofMillis(200);

  /** An idle node that sends samples reports every so many heartbeats. */
  private static final int REPORTED_EVERY = 4;

  /** Whether the look at the changes that was asked for is still to come. */
  private boolean lookDue;

  /** How many changes of tasks the coordinator was not told yet. */
  private int untold;

  /** Whether a sample was sent since the last heartbeat. */
  private boolean sampled;

  /** How many heartbeats have gone by since the last report. */
  private int leftOut;

  /**
   * A task has changed.
   *
   * @return whether a look at what has changed is to be asked for: none is due yet
   */
  boolean changed() {
    untold++;
    boolean first = !lookDue;
    lookDue = true;
    return first;
  }

  /**
   * The look that was asked for has come.
   *
   * @param waiting how many tasks wait for their turn, which they get without the coordinator
   * @return whether to report at once; else it is asked again within {@link #TOLD_WITHIN}
   */
  boolean isDueAtLook(int waiting) {
    lookDue = false;
    return untold >= waiting;
  }

  /** Whether something has changed that was not told yet. */
  boolean hasUntold() {
    return untold > 0;
  }

  /** A sample was sent. */
  void sampled() {
    sampled = true;
  }

  /**
   * A heartbeat has come.
   *
   * @param held how many tasks there are to tell of
   * @return whether to report
   */
  boolean isDueAtHeartbeat(int held) {
    boolean told = sampled && held == 0 && ++leftOut < REPORTED_EVERY;
    sampled = false;
    return !told;
  }

  /** All was told. */
  void reported() {
    leftOut = 0;
    untold = 0;
  }
}
