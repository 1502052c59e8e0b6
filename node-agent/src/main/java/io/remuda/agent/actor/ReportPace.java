package io.remuda.agent.actor;

import java.time.Duration;

/**
 * Decides when a node reports; no side effects. A change is reported at once, unless enough tasks
 * wait on the node to keep it busy without the coordinator; then changes are reported together.
 * That an order is followed by which a task starts is reported with the next change, which is that
 * task's. Without changes a node reports with its heartbeats; an idle node skips some of them while
 * it sends samples.
 */
final class ReportPace {

  /** Maximum delay of a change that is not reported at once. */
  static final Duration TOLD_WITHIN = Duration.ofMillis(200);

  /** An idle node that sends samples skips all heartbeats but one in this many. */
  private static final int REPORTED_EVERY = 4;

  /** Whether a check of the changes is due. */
  private boolean lookDue;

  /** Number of task changes that were not reported yet. */
  private int untold;

  /** Whether it was not reported yet that an order is followed. */
  private boolean followed;

  /** Whether a sample was sent since the last heartbeat. */
  private boolean sampled;

  /** Number of skipped heartbeats since the last report. */
  private int leftOut;

  /**
   * Notes that a task has changed.
   *
   * @return whether the caller must schedule a check; false if one is due already
   */
  boolean changed() {
    untold++;
    boolean first = !lookDue;
    lookDue = true;
    return first;
  }

  /**
   * Handles the check.
   *
   * @param waiting number of tasks that wait for their slot and start without the coordinator
   * @return whether to report at once; else check again within {@link #TOLD_WITHIN}
   */
  boolean isDueAtLook(int waiting) {
    lookDue = false;
    return untold >= waiting;
  }

  /** Notes that the node follows an order by which a task starts. */
  void followed() {
    followed = true;
  }

  /** Returns whether there is something to report. */
  boolean hasUntold() {
    return untold > 0 || followed;
  }

  /** Notes that a sample was sent. */
  void sampled() {
    sampled = true;
  }

  /**
   * Handles a heartbeat.
   *
   * @param held number of attempts to report
   * @return whether to report
   */
  boolean isDueAtHeartbeat(int held) {
    boolean told = sampled && held == 0 && ++leftOut < REPORTED_EVERY;
    sampled = false;
    return !told;
  }

  /** Notes that a report was sent. */
  void reported() {
    leftOut = 0;
    untold = 0;
    followed = false;
  }
}
