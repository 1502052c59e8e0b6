package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.ClusterCapacity;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeCapacity;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Checks whether tasks fit, now or ever. */
public final class FitCheck {

  private FitCheck() {}

  /** Returns why a task does not fit on the node, empty if it fits. */
  static Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
    return Filter.firstRefusal(node, needs);
  }

  /** Checks whether one task would fit if all nodes answered and were empty. */
  public static List<WaitReason> everRefused(List<NodeOffer> nodes, ResourceRequest needs) {
    List<WaitReason> reasons = new ArrayList<>();
    for (NodeCapacity room : empty(nodes)) {
      Optional<WaitReason> no = refusal(room, needs);
      if (no.isEmpty()) {
        return List.of();
      }
      reasons.add(no.get());
    }
    return reasons;
  }

  /**
   * Checks whether a whole gang would fit if all nodes answered and were empty.
   *
   * @param needs of each member if they have no roles
   * @param tasks number of its members
   * @param policy which determines how they share devices
   * @return empty if it would fit, otherwise what each node lacks for the first that does not
   */
  public static List<WaitReason> everRefused(
      List<NodeOffer> nodes, Gang gang, ResourceRequest needs, int tasks, PlacementPolicy policy) {
    List<TaskId> members =
        IntStream.range(0, tasks).mapToObj(index -> new TaskId(gang.job(), index)).toList();
    GangPlacement.Outcome outcome =
        new GangPlacement(
                gang,
                needs,
                GangPlacement.Style.filling(policy),
                null,
                empty(nodes),
                new EmptyClusterRules())
            .place(members);
    if (outcome.reasons().isEmpty() || nodes.isEmpty()) {
      return List.of();
    }
    List<WaitReason> reasons = new ArrayList<>(outcome.reasons());
    if (outcome.placeable() > 0) {
      reasons.add(0, new WaitReason.GangIncomplete(tasks, outcome.placeable()));
    }
    return reasons;
  }

  private static List<NodeCapacity> empty(List<NodeOffer> nodes) {
    return List.copyOf(ClusterCapacity.of(nodes.stream().map(NodeOffer::emptied).toList()).all());
  }

  /** Only what a node has decides. */
  static final class EmptyClusterRules implements GangPlacement.Rules {
    @Override
    public Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
      return FitCheck.refusal(node, needs);
    }

    @Override
    public Optional<NodeCapacity> next(TaskId member, ResourceRequest needs) {
      throw new IllegalStateException("nodes are filled one after the other");
    }

    @Override
    public void placed(TaskId member, NodeCapacity node) {
      // nothing follows from it
    }
  }
}
