package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.NodeRoom;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Enough devices have as much memory left as is wanted of each. */
final class GpuMemoryFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(NodeRoom node, ResourceRequest needs) {
    if (needs.gpus() == 0 || !needs.sharesGpus()) {
      return Optional.empty();
    }
    String model = needs.gpuModel();
    int fitting = node.gpusWith(needs.gpuMemory(), model);
    return fitting < needs.gpus()
        ? Optional.of(
            new WaitReason.TooLittleGpuMemory(
                node.name(),
                needs.gpuMemory(),
                needs.gpus(),
                fitting,
                node.mostFreeGpuMemory(model),
                node.largestGpu(model)))
        : Optional.empty();
  }
}
