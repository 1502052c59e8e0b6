package io.remuda.agent.actor;

import java.time.Duration;

/**
 * Decides when a node reports; no side effects. A change is reported at once, unless enough tasks
 * wait on the node to keep it busy without the coordinator; then changes are reported together.
 * That an order is followed, or that a task runs, waits a moment for the next change: a short task
 * costs one report instead of three. Without changes a node reports with its heartbeats; an idle
 * node skips some of them while it sends samples.
 */
final class ReportPace {

  /** Maximum delay of a change that is not reported at once. */
  static final Duration TOLD_WITHIN = Duration.ofMillis(200);

  /** Maximum delay of changes for which nobody waits. */
  static final Duration MINOR_TOLD_WITHIN = Duration.ofMillis(20);

  /** An idle node that sends samples skips all heartbeats but one in this many. */
  private static final int REPORTED_EVERY = 4;

  /** Whether a check of the changes is due. */
  private boolean lookDue;

  /** Number of task changes that were not reported yet. */
  private int untold;

  /** Whether one of them is not minor. */
  private boolean pressing;

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
    pressing = true;
    return changedSlightly();
  }

  /**
   * Notes that a task has begun to run.
   *
   * @return as {@link #changed}
   */
  boolean changedSlightly() {
    untold++;
    boolean first = !lookDue;
    lookDue = true;
    return first;
  }

  /** Notes that the node follows another order. */
  void followed() {
    untold++;
  }

  /**
   * Handles the check.
   *
   * @param waiting number of tasks that wait for their slot and start without the coordinator
   * @return whether to report at once; else check again within {@link #delay}
   */
  boolean isDueAtLook(int waiting) {
    lookDue = false;
    return pressing && untold >= waiting;
  }

  /** Returns the maximum delay of the unreported changes. */
  Duration delay() {
    return pressing ? TOLD_WITHIN : MINOR_TOLD_WITHIN;
  }

  /** Returns whether there are unreported changes. */
  boolean hasUntold() {
    return untold > 0;
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
    pressing = false;
  }
}
