package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Requires enough cores that are not promised to tasks. */
final class CpuFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    long wanted = needs.milliCpus();
    return wanted > 0 && node.freeCpus() < wanted
        ? Optional.of(
            new WaitReason.TooFewFreeCpus(
                node.name(), wanted, node.freeCpus(), node.offer().cpus().total()))
        : Optional.empty();
  }
}
