package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/** Requires that the node is one of those that the task names, and none that it excludes. */
final class NameFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    NodeConstraints names = needs.nodeNeeds();
    if (names.allows(node.name())) {
      return Optional.empty();
    }
    return Optional.of(
        names.except().contains(node.name())
            ? new WaitReason.Excluded(node.name())
            : new WaitReason.NotNamed(node.name(), List.copyOf(names.only())));
  }
}
