package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/** Rates the nodes on which a task fits. */
public interface Score {

  /** Returns the score from 0 to 1; higher is better. */
  double of(RemainingNodeCapacity node, ResourceRequest needs);
}
