package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Rates the nodes on which a task fits. */
public interface Score {

  /** Returns the score from 0 to 1; higher is better. */
  double of(RemainingNodeCapacity node, ResourceRequest needs);

  /** Returns the GPU of the node that the task should have; empty if the policy's order decides. */
  default Optional<DeviceId> device(RemainingNodeCapacity node, ResourceRequest needs) {
    return Optional.empty();
  }
}
