package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether tasks fit, now or ever. */
public final class FitCheck {

  private FitCheck() {}

  /** Why the node will not do, or nothing if it will. */
  static Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
    return Filter.firstRefusal(node, needs);
  }

  /**
   * Whether so many tasks would find room at once if nothing else ran and every node answered.
   *
   * @return nothing if they would, else what each node lacks for the first one that would not
   */
  public static List<WaitReason> everRefused(
      List<NodeOffer> nodes, ResourceRequest needs, int atOnce) {
    ClusterCapacity empty = ClusterCapacity.of(nodes.stream().map(NodeOffer::emptied).toList());
    int placed = 0;
    List<WaitReason> reasons = new ArrayList<>();
    for (NodeCapacity room : empty.all()) {
      Optional<WaitReason> no = refusal(room, needs);
      while (no.isEmpty() && placed < atOnce) {
        room.take(needs, null, NodeCapacity.fullestFirst());
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
