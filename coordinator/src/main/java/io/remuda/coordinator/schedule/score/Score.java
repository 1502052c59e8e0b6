package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.NodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/** Says how well a node fits a task that fits on it. */
public interface Score {

  /** From 0 to 1; higher is better. */
  double of(NodeCapacity node, ResourceRequest needs);
}
