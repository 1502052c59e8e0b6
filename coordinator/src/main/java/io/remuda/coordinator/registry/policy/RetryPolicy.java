package io.remuda.coordinator.registry.policy;

import io.remuda.coordinator.registry.task.TaskRecord;
import java.time.Duration;

/**
 * Limits and delays of retries.
 *
 * @param maxInterruptions maximum number of interruptions from outside, such as a kill or the loss
 *     of the node; at least 1
 * @param maxCrashes maximum number of ends of its own process without a reported result; at least 1
 * @param firstDelay delay before the first retry; it doubles with each retry
 * @param maxDelay maximum delay before a retry
 * @param silence time after which a silent node's contact deadline has surely passed on both sides
 * @param avoidance handling of nodes on which tasks cannot begin
 * @param gpuRests handling of GPUs on which programs fail
 */
public record RetryPolicy(
    int maxInterruptions,
    int maxCrashes,
    Duration firstDelay,
    Duration maxDelay,
    Duration silence,
    Avoidance avoidance,
    GpuRests gpuRests) {

  /**
   * The avoidance of nodes on which tasks cannot begin because the node lacks something.
   *
   * @param after number of failures in a row after which a node is avoided; at least 1
   * @param first first pause
   * @param longest maximum pause
   */
  public record Avoidance(int after, Duration first, Duration longest) {
    /** The defaults of reference.conf. */
    public static final Avoidance USUAL =
        new Avoidance(5, Duration.ofSeconds(5), Duration.ofMinutes(2));
  }

  /**
   * The rests of GPUs on which programs fail one after the other while they do well elsewhere.
   *
   * @param after number of failures in a row after which a GPU rests; 0 for never
   * @param quick how long a program may have run for its failure to count
   * @param first first rest
   * @param longest maximum rest
   */
  public record GpuRests(int after, Duration quick, Duration first, Duration longest) {
    /** The defaults of reference.conf. */
    public static final GpuRests USUAL =
        new GpuRests(3, Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMinutes(15));

    public GpuRests {
      if (after < 0) {
        throw new IllegalArgumentException("retry.gpu-rest-after must be 0 or more, got " + after);
      }
    }
  }

  /** Creates a policy with {@link Avoidance#USUAL}. */
  public RetryPolicy(
      int maxInterruptions,
      int maxCrashes,
      Duration firstDelay,
      Duration maxDelay,
      Duration silence) {
    this(
        maxInterruptions,
        maxCrashes,
        firstDelay,
        maxDelay,
        silence,
        Avoidance.USUAL,
        GpuRests.USUAL);
  }

  /** Returns the delay before the retry after so many interruptions, in nanoseconds. */
  public long delayNanos(int interruptions) {
    long doubled = firstDelay.toNanos() << Math.min(20, interruptions);
    return Math.min(doubled, maxDelay.toNanos());
  }

  /** Returns whether a task has been interrupted so often that it is not retried. */
  public boolean exhausted(TaskRecord task) {
    return task.interruptions() >= maxInterruptions || task.crashes() >= maxCrashes;
  }
}
