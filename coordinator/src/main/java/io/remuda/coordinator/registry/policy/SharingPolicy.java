package io.remuda.coordinator.registry.policy;

import java.time.Duration;

/**
 * Settings for sharing the nodes over time.
 *
 * @param reserveAfter how long the first task that fits nowhere is overtaken by others before
 *     capacity is reserved for it
 * @param useHalfLife half-life of a user's past use
 * @param restartableContact contact deadline of tasks with retries
 * @param ahead amount of work, as a duration, queued on a node beyond its capacity, so that short
 *     tasks follow each other without a message to the coordinator in between; zero for none
 * @param claims for whom preemptible tasks leave their places
 */
public record SharingPolicy(
    Duration reserveAfter,
    Duration useHalfLife,
    Duration restartableContact,
    Duration ahead,
    Claims claims) {

  /** For whom preemptible tasks leave their places. */
  public enum Claims {
    /** For tasks of higher priority. */
    PRIORITY,
    /** Also for tasks of equal priority of users who have used much less of their share. */
    FAIR_SHARE
  }

  /** Settings by which tasks leave only for those of higher priority. */
  public SharingPolicy(
      Duration reserveAfter, Duration useHalfLife, Duration restartableContact, Duration ahead) {
    this(reserveAfter, useHalfLife, restartableContact, ahead, Claims.PRIORITY);
  }
}
