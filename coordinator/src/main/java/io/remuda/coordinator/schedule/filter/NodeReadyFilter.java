package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/** Requires that the node answers and takes tasks. */
final class NodeReadyFilter implements Filter {

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    return switch (node.offer().presence()) {
      case READY -> Optional.empty();
      case SILENT -> Optional.of(new WaitReason.NodeSilent(node.name()));
      case DRAINING -> Optional.of(draining(node.name(), node.offer().pause()));
      case PAUSED -> Optional.of(paused(node.name(), node.offer().pause()));
    };
  }

  private static WaitReason draining(String node, NodePause why) {
    return new WaitReason.NodeDraining(
        node, why instanceof NodePause.Drained drained ? drained.reason() : null);
  }

  private static WaitReason paused(String node, NodePause why) {
    if (why instanceof NodePause.Standstill still) {
      return new WaitReason.NodeStandsStill(node, still.what(), still.sinceMillis());
    }
    NodePause.Failures failures = (NodePause.Failures) why;
    return new WaitReason.NodeAvoided(node, failures.count(), failures.cause(), failures.millis());
  }
}
