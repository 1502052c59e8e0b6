package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.NodeCapacity;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** The node has not as many tasks as it may have, whatever they need. */
final class TaskCountFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
    return node.takesMore()
        ? Optional.empty()
        : Optional.of(new WaitReason.TooManyTasks(node.name(), NodeOffer.MOST_TASKS));
  }
}
