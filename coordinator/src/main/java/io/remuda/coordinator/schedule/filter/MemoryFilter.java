package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Requires enough memory that is not promised to tasks. */
final class MemoryFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    long wanted = needs.memory();
    return wanted > 0 && node.freeMemory() < wanted
        ? Optional.of(
            new WaitReason.TooLittleMemory(
                node.name(), wanted, node.freeMemory(), node.offer().memory().total()))
        : Optional.empty();
  }
}
