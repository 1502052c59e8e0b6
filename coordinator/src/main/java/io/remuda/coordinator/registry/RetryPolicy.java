package io.remuda.coordinator.registry;

import java.time.Duration;

/**
 * How often a task may be tried again.
 *
 * @param maxInterruptions from outside: killed, node gone; at least 1
 * @param maxCrashes of its own process without a word; at least 1
 * @param firstDelay before the first new try; it doubles with each
 * @param maxDelay between tries
 * @param silence after which a silent node's lease has surely passed on both sides
 * @param avoidance of nodes on which tasks cannot begin
 */
public record RetryPolicy(
    int maxInterruptions,
    int maxCrashes,
    Duration firstDelay,
    Duration maxDelay,
    Duration silence,
    Avoidance avoidance) {

  /**
   * Of nodes on which tasks cannot begin for want of something.
   *
   * @param after so many in a row; at least 1
   * @param first for so long at first
   * @param longest and for so long at most
   */
  public record Avoidance(int after, Duration first, Duration longest) {
    /** As in reference.conf. */
    public static final Avoidance USUAL =
        new Avoidance(5, Duration.ofSeconds(5), Duration.ofMinutes(2));
  }

  /** One with the usual avoidance. */
  public RetryPolicy(
      int maxInterruptions,
      int maxCrashes,
      Duration firstDelay,
      Duration maxDelay,
      Duration silence) {
    this(maxInterruptions, maxCrashes, firstDelay, maxDelay, silence, Avoidance.USUAL);
  }

  long delayNanos(int interruptions) {
    long doubled = firstDelay.toNanos() << Math.min(20, interruptions);
    return Math.min(doubled, maxDelay.toNanos());
  }

  boolean exhausted(TaskRecord task) {
    return task.interruptions() >= maxInterruptions || task.crashes() >= maxCrashes;
  }
}
