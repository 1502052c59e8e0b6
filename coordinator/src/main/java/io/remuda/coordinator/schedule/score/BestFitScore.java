package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/**
 * Prefers the node with the GPU that has the least memory left after the task has its part. Tasks
 * that do not share a GPU are scored by {@link PackScore}.
 */
public final class BestFitScore implements Score {

  private final Score others = new PackScore();

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    if (!needs.gpuShare().isShared()) {
      return others.of(node, needs);
    }
    double largest = Math.max(1, node.largestGpu(needs));
    return Math.max(0, Math.min(1, 1 - node.leastLeftBy(needs) / largest));
  }
}
