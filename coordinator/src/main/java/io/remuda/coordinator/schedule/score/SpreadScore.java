package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.NodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/** Prefers the node that has the most left of what the task wants. */
public final class SpreadScore implements Score {

  @Override
  public double of(NodeCapacity node, ResourceRequest needs) {
    return needs.gpus() > 0
        ? PackScore.freeGpuShare(node)
        : Math.min(PackScore.freeCpuShare(node), PackScore.freeMemoryShare(node));
  }
}
