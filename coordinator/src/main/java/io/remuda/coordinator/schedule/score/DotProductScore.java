package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/**
 * Prefers the node whose free capacity, multiplied with what the task needs, is the smallest, so
 * that a task that needs much of something does not take it where there is most of it.
 *
 * <pre>1 − Σ over cores, memory and GPUs of (needed / total) × (free / total) / 3</pre>
 *
 * <p>Source: the dot product of Tetris (Grandl et al., SIGCOMM 2014), with the sign of the
 * comparison in Weng et al., USENIX ATC 2023, section 6.1.
 */
final class DotProductScore implements Score {

  private static final int RESOURCES = 3;

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    NodeOffer.Amount cpus = node.offer().cpus();
    NodeOffer.Amount memory = node.offer().memory();
    double product =
        part(needs.milliCpus(), cpus.total()) * PackScore.freeCpuShare(node)
            + part(needs.memory(), memory.total()) * PackScore.freeMemoryShare(node)
            + gpus(node, needs) * PackScore.freeGpuShare(node);
    return 1 - product / RESOURCES;
  }

  private static double gpus(RemainingNodeCapacity node, ResourceRequest needs) {
    double each = 1;
    if (needs.gpuShare().isShared()) {
      long largest = node.largestGpu(needs);
      each = part(needs.gpuShare().partOf(largest), largest);
    }
    return Math.min(1, needs.gpus() * each / Math.max(1, node.offer().devices().size()));
  }

  private static double part(long needed, long total) {
    return total <= 0 ? 0 : Math.min(1, (double) needed / total);
  }
}
