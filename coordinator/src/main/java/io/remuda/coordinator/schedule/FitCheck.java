package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.ClusterCapacity;
import io.remuda.coordinator.schedule.model.DeviceOrder;
import io.remuda.coordinator.schedule.model.NodeCapacity;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks whether tasks fit, now or ever. */
public final class FitCheck {

  private FitCheck() {}

  /** Returns why a task does not fit on the node, empty if it fits. */
  static Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
    return Filter.firstRefusal(node, needs);
  }

  /** Checks whether one task would fit if all nodes answered and were empty. */
  public static List<WaitReason> everRefused(List<NodeOffer> nodes, ResourceRequest needs) {
    return everRefused(nodes, needs, 1, PlacementPolicy.PACK); // one task needs no order
  }

  /**
   * Checks whether {@code atOnce} tasks would fit at once if all nodes answered and were empty.
   *
   * @param policy of the tasks, which determines how they share devices
   * @return empty if they would fit, otherwise what each node lacks for the first that does not
   */
  public static List<WaitReason> everRefused(
      List<NodeOffer> nodes, ResourceRequest needs, int atOnce, PlacementPolicy policy) {
    ClusterCapacity empty = ClusterCapacity.of(nodes.stream().map(NodeOffer::emptied).toList());
    int placed = 0;
    List<WaitReason> reasons = new ArrayList<>();
    for (NodeCapacity room : empty.all()) {
      Optional<WaitReason> no = refusal(room, needs);
      while (no.isEmpty() && placed < atOnce) {
        room.take(needs, null, DeviceOrder.of(policy));
        placed++;
        no = refusal(room, needs);
      }
      no.ifPresent(reasons::add);
      if (placed >= atOnce) {
        return List.of();
      }
    }
    if (placed > 0) {
      reasons.add(0, new WaitReason.GangIncomplete(atOnce, placed));
    }
    return reasons;
  }
}
