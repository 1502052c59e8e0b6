package io.remuda.coordinator.schedule.order;

import java.util.OptionalLong;

/**
 * What is known of a job, or of a task that runs on its own, when its turn is determined.
 *
 * @param gpus that it holds or wants, at least 1; one without GPUs counts as one
 * @param ranMillis how long it has run so far, in all its attempts
 * @param leftMillis how long it still takes, restart included; empty if nobody knows
 */
public record JobStanding(int gpus, long ranMillis, OptionalLong leftMillis) {
  public JobStanding {
    if (gpus < 1 || ranMillis < 0) {
      throw new IllegalArgumentException(
          "gpus must be at least 1 and ranMillis at least 0, got " + gpus + " and " + ranMillis);
    }
  }
}
