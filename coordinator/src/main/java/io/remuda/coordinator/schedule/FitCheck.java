package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Checks whether tasks fit, now or ever. */
public final class FitCheck {

  private FitCheck() {}

  /** Returns why a task does not fit on the node, empty if it fits. */
  static Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    return Filter.firstRefusal(node, needs);
  }

  /** Checks whether one task would fit if all nodes answered and were empty. */
  public static List<WaitReason> everRefused(List<NodeOffer> nodes, ResourceRequest needs) {
    List<List<WaitReason>> reasons = new ArrayList<>();
    for (ResourceRequest one : needs.alternatives()) {
      List<WaitReason> lacks = new ArrayList<>();
      for (RemainingNodeCapacity room : empty(nodes)) {
        Optional<WaitReason> no = refusal(room, one);
        if (no.isEmpty()) {
          return List.of();
        }
        lacks.add(no.get());
      }
      reasons.add(lacks);
    }
    return together(reasons, needs);
  }

  /**
   * Returns why a task waits of which each alternative is refused, each reason once.
   *
   * @param reasons for each alternative, why each node refuses it
   */
  static List<WaitReason> together(List<List<WaitReason>> reasons, ResourceRequest needs) {
    List<WaitReason> all = new ArrayList<>(reasons.get(0));
    for (List<WaitReason> others : reasons.subList(1, reasons.size())) {
      for (int i = 0; i < all.size(); i++) {
        all.set(i, all.get(i) instanceof WaitReason.LacksModel ? others.get(i) : all.get(i));
      }
    }
    if (reasons.size() > 1) {
      all.replaceAll(
          one ->
              one instanceof WaitReason.LacksModel lacks
                  ? new WaitReason.LacksModel(lacks.node(), needs.gpuModel(), lacks.models())
                  : one);
    }
    return once(all);
  }

  /** Returns the reasons, what the cluster lacks only once: each node gives it as its reason. */
  static List<WaitReason> once(List<WaitReason> reasons) {
    Set<WaitReason> ofCluster = new HashSet<>();
    return reasons.stream()
        .filter(one -> one instanceof WaitReason.OfNode || ofCluster.add(one))
        .toList();
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

  private static List<RemainingNodeCapacity> empty(List<NodeOffer> nodes) {
    return List.copyOf(
        RemainingClusterCapacity.of(nodes.stream().map(NodeOffer::emptied).toList()).all());
  }

  /** Only what a node has decides. */
  static final class EmptyClusterRules implements GangPlacement.Rules {
    @Override
    public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
      return FitCheck.refusal(node, needs);
    }

    @Override
    public Optional<RemainingNodeCapacity> next(TaskId member, ResourceRequest needs) {
      throw new IllegalStateException("nodes are filled one after the other");
    }

    @Override
    public void placed(TaskId member, RemainingNodeCapacity node) {
      // nothing follows from it
    }
  }
}
