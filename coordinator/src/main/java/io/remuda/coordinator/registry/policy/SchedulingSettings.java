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
 * @param tests the bounds of jobs for tests
 */
public record SchedulingSettings(
    Duration reserveAfter,
    Duration useHalfLife,
    Duration restartableContact,
    Duration ahead,
    Claims claims,
    FirstRun firstRun,
    Map<String, Long> counted,
    OrderPolicies order,
    TestBounds tests) {

  /**
   * The bounds of jobs for tests, which start ahead of all others.
   *
   * @param timeLimit the longest time limit of a task, which it has unless it has a shorter one
   * @param gpus most GPUs of a task, of a gang of all its tasks
   * @param running most tasks of one user that run at once
   */
  public record TestBounds(Duration timeLimit, int gpus, int running) {

    /** Ten minutes, a GPU, one at a time. */
    public static final TestBounds USUAL = new TestBounds(Duration.ofMinutes(10), 1, 1);

    public TestBounds {
      if (timeLimit.isZero() || timeLimit.isNegative()) {
        throw new IllegalArgumentException("tests.time-limit must be above 0, got " + timeLimit);
      }
      if (gpus < 0 || running < 0) {
        throw new IllegalArgumentException(
            "tests.gpus and tests.running must be 0 or more, got " + gpus + " and " + running);
      }
    }
  }

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

  /** Settings with the usual bounds of tests. */
  public SchedulingSettings(
      Duration reserveAfter,
      Duration useHalfLife,
      Duration restartableContact,
      Duration ahead,
      Claims claims,
      FirstRun firstRun,
      Map<String, Long> counted,
      OrderPolicies order) {
    this(
        reserveAfter,
        useHalfLife,
        restartableContact,
        ahead,
        claims,
        firstRun,
        counted,
        order,
        TestBounds.USUAL);
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
