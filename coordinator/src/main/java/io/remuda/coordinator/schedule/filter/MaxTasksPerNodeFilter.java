package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Requires that the node is below the maximum number of tasks. */
final class MaxTasksPerNodeFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    return node.takesMore()
        ? Optional.empty()
        : Optional.of(new WaitReason.TooManyTasks(node.name(), NodeOffer.MOST_TASKS));
  }
}
