package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/** Prefers the emptiest node: by GPU memory for a task with GPUs, otherwise by cores and memory. */
public final class SpreadScore implements Score {

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    return needs.gpus() > 0
        ? PackScore.freeGpuShare(node)
        : Math.min(PackScore.freeCpuShare(node), PackScore.freeMemoryShare(node));
  }
}
