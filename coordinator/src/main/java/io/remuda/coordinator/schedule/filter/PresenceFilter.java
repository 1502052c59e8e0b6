package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.NodeRoom;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** The node answers and takes tasks. */
final class PresenceFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(NodeRoom node, ResourceRequest needs) {
    return switch (node.offer().presence()) {
      case READY -> Optional.empty();
      case SILENT -> Optional.of(new WaitReason.NodeSilent(node.name()));
      case DRAINING -> Optional.of(new WaitReason.NodeDraining(node.name()));
    };
  }
}
