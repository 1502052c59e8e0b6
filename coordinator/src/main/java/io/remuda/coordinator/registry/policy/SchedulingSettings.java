package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.NodeConstraints;
import java.time.Duration;
import java.util.Map;

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
 * @param firstRun where the first task of a type whose GPU memory is measured runs
 * @param counted amounts of the counted resources of the cluster
 * @param order whose turn it is among tasks of equal priority
 */
public record SchedulingSettings(
    Duration reserveAfter,
    Duration useHalfLife,
    Duration restartableContact,
    Duration ahead,
    Claims claims,
    FirstRun firstRun,
    Map<String, Long> counted,
    OrderPolicies order) {

  /** Where the first task of a type whose GPU memory is measured runs. */
  public enum FirstRun {
    /** On devices of its own. */
    ALONE,
    /** Also beside others, where two thirds of a device are free, once three types are known. */
    BESIDE
  }

  /** For whom preemptible tasks leave their places. */
  public enum Claims {
    /** For tasks of higher priority. */
    PRIORITY,
    /** Also for tasks of equal priority of users who have used much less of their share. */
    FAIR_SHARE
  }

  public SchedulingSettings {
    counted = NodeConstraints.amounts(counted);
  }

  /** Settings of a cluster in which users have turns by their shares. */
  public SchedulingSettings(
      Duration reserveAfter,
      Duration useHalfLife,
      Duration restartableContact,
      Duration ahead,
      Claims claims,
      Map<String, Long> counted) {
    this(
        reserveAfter,
        useHalfLife,
        restartableContact,
        ahead,
        claims,
        FirstRun.ALONE,
        counted,
        OrderPolicies.FAIR);
  }

  /** Settings of a cluster without counted resources. */
  public SchedulingSettings(
      Duration reserveAfter,
      Duration useHalfLife,
      Duration restartableContact,
      Duration ahead,
      Claims claims) {
    this(reserveAfter, useHalfLife, restartableContact, ahead, claims, Map.of());
  }

  /** Settings by which tasks leave only for those of higher priority. */
  public SchedulingSettings(
      Duration reserveAfter, Duration useHalfLife, Duration restartableContact, Duration ahead) {
    this(reserveAfter, useHalfLife, restartableContact, ahead, Claims.PRIORITY);
  }
}
