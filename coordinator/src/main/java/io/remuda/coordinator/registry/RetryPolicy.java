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
 */
public record RetryPolicy(
    int maxInterruptions,
    int maxCrashes,
    Duration firstDelay,
    Duration maxDelay,
    Duration silence) {

  long delayNanos(int interruptions) {
    long doubled = firstDelay.toNanos() << Math.min(20, interruptions);
    return Math.min(doubled, maxDelay.toNanos());
  }

  boolean exhausted(TaskRecord task) {
    return task.interruptions() >= maxInterruptions || task.crashes() >= maxCrashes;
  }
}
