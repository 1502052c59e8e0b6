package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/**
 * Requires enough devices with sufficient free memory that take one more task within their {@code
 * perGpu} limits and utilisation.
 */
final class GpuMemoryFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    if (needs.gpus() == 0 || !needs.gpuShare().isShared()) {
      return Optional.empty();
    }
    int wanted = needs.gpus();
    if (node.gpusFor(needs) >= wanted) {
      return Optional.empty();
    }
    if (node.gpusWithMemoryFor(needs) < wanted) {
      return Optional.of(tooLittle(node, needs));
    }
    int notFull = node.gpusNotFullFor(needs);
    return Optional.of(
        notFull < wanted
            ? new WaitReason.TooManyOnGpus(node.name(), wanted, notFull)
            : new WaitReason.GpusTooBusy(
                node.name(), wanted, node.gpusFor(needs), needs.gpuPercent()));
  }

  private static WaitReason tooLittle(RemainingNodeCapacity node, ResourceRequest needs) {
    long largest = node.largestGpu(needs);
    return new WaitReason.TooLittleGpuMemory(
        node.name(),
        needs.gpuShare().partOf(largest),
        needs.gpus(),
        node.gpusWithMemoryFor(needs),
        node.mostFreeGpuMemory(needs),
        largest);
  }
}
