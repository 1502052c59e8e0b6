package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;

/**
 * Prefers the fullest node: by GPU memory for a task with GPUs, otherwise by the scarcer of cores
 * and memory. A task without GPUs prefers nodes without GPUs.
 */
public final class PackScore implements Score {

  private static final double HALF = 0.5;

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    if (needs.gpus() > 0) {
      return 1 - freeGpuShare(node);
    }
    double fullness = 1 - Math.min(freeCpuShare(node), freeMemoryShare(node));
    return node.offer().devices().isEmpty() ? HALF + fullness / 2 : fullness / 2;
  }

  static double freeGpuShare(RemainingNodeCapacity node) {
    long total = 0;
    for (DeviceOffer device : node.offer().devices()) {
      total += device.totalMemory();
    }
    int count = Math.max(1, node.offer().devices().size());
    return total > 0 ? share(node.freeGpuMemory(), total) : (double) node.wholeGpus(null) / count;
  }

  static double freeCpuShare(RemainingNodeCapacity node) {
    NodeOffer.Amount cpus = node.offer().cpus();
    return share(node.freeCpus(), cpus.total());
  }

  static double freeMemoryShare(RemainingNodeCapacity node) {
    return share(node.freeMemory(), node.offer().memory().total());
  }

  private static double share(long free, long total) {
    return total <= 0 ? 0 : Math.max(0, Math.min(1, (double) free / total));
  }
}
