package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceCapacity;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOrder;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeCheckpoint;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Places all members of a gang or none: on as few nodes as it finds, members that follow each other
 * side by side, and on GPUs of one model unless the gang may be mixed. It fills the node that takes
 * the most of the remaining members, and of these the one with the least left, which needs the
 * fewest nodes if all members are alike.
 */
final class GangPlacement {

  /** Decides about one member. */
  interface Rules {
    /** Returns why a member with these needs must not be on the node, empty if it may. */
    Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs);

    /** Returns the node for the next member; only called for policies that spread a gang. */
    Optional<RemainingNodeCapacity> next(TaskId member, ResourceRequest needs);

    /** A member was placed. */
    void placed(TaskId member, RemainingNodeCapacity node);
  }

  /**
   * How the members are placed.
   *
   * @param fillsNodes whether one node after the other is filled; else {@link Rules#next} decides
   * @param devices order in which a node's devices are taken
   */
  record Style(boolean fillsNodes, Comparator<DeviceCapacity> devices) {
    static Style of(PlacementPolicy policy) {
      boolean fills =
          switch (policy) {
            case PACK, BEST_FIT, FORESIGHT, FGD, DOT_PRODUCT -> true;
            case SPREAD, ROUND_ROBIN, RANDOM, SHARE -> false;
          };
      return new Style(fills, DeviceOrder.of(policy));
    }

    /** Returns the style that finds out whether all fit. */
    static Style filling(PlacementPolicy policy) {
      return new Style(true, DeviceOrder.of(policy));
    }
  }

  /** What a node had before a member was placed there. */
  private record Taken(RemainingNodeCapacity node, NodeCheckpoint before) {}

  /** A member and its place. */
  record Member(TaskId task, RemainingNodeCapacity node, List<DeviceId> devices) {}

  /**
   * What came of it.
   *
   * @param members all of them, or none
   * @param placeable how many of them there is room for
   * @param reasons why the next one has no place; empty if all have
   */
  record Outcome(List<Member> members, int placeable, List<WaitReason> reasons) {
    /** Returns the reasons, first how many of so many members there is room for. */
    List<WaitReason> reasons(int wanted) {
      List<WaitReason> all = new ArrayList<>(reasons);
      if (!reasons.equals(NO_NODES)) {
        all.add(0, new WaitReason.GangIncomplete(wanted, placeable));
      }
      return all;
    }

    private int nodes() {
      return new LinkedHashSet<>(members.stream().map(one -> one.node().name()).toList()).size();
    }
  }

  private static final List<WaitReason> NO_NODES = List.of(new WaitReason.NoNodes());

  private static final Comparator<ResourceRequest> LARGEST_FIRST =
      Comparator.comparingInt(ResourceRequest::gpus)
          .thenComparingDouble(ResourceRequest::cpus)
          .thenComparingLong(ResourceRequest::memory)
          .reversed();

  private final Gang gang;
  private final ResourceRequest alike;
  private final Style style;
  private final JobType type;
  private final List<RemainingNodeCapacity> nodes;
  private final Rules rules;

  /** By the present attempt, the last first. */
  private final Deque<Taken> taken = new ArrayDeque<>();

  /**
   * @param alike what each member needs if they have no roles
   * @param type of the members, or null
   * @param nodes in order of preference
   */
  GangPlacement(
      Gang gang,
      ResourceRequest alike,
      Style style,
      JobType type,
      List<RemainingNodeCapacity> nodes,
      Rules rules) {
    this.gang = gang;
    this.alike = alike;
    this.style = style;
    this.type = type;
    this.nodes = nodes;
    this.rules = rules;
  }

  /** Places the members, in this order; takes their resources only if all have a place. */
  Outcome place(List<TaskId> members) {
    List<TaskId> order = members;
    String chosen = null;
    Outcome best = null;
    boolean inOrder = members.stream().map(this::needs).anyMatch(GangPlacement::hasChoice);
    for (List<TaskId> tried : orders(members)) {
      for (String model : models(members)) {
        if (inOrder && best != null && best.reasons().isEmpty()) {
          break;
        }
        Outcome outcome = attempt(tried, model);
        giveBack();
        if (best == null || isBetter(outcome, best)) {
          best = outcome;
          chosen = model;
          order = tried;
        }
      }
      if (best.reasons().isEmpty()) {
        break;
      }
    }
    if (!best.reasons().isEmpty()) {
      return new Outcome(List.of(), best.placeable(), best.reasons());
    }
    Outcome placed = attempt(order, chosen);
    placed.members().forEach(one -> rules.placed(one.task(), one.node()));
    return placed;
  }

  private static boolean isBetter(Outcome one, Outcome other) {
    return one.placeable() != other.placeable()
        ? one.placeable() > other.placeable()
        : one.reasons().isEmpty() && one.nodes() < other.nodes();
  }

  /**
   * Returns the orders to try: as they are, and the largest first, which may fit where that fails.
   */
  private List<List<TaskId>> orders(List<TaskId> members) {
    if (gang.roles().size() < 2 || !style.fillsNodes()) {
      return List.of(members);
    }
    List<TaskId> bySize = new ArrayList<>(members);
    bySize.sort(Comparator.comparing(this::needs, LARGEST_FIRST));
    return bySize.equals(members) ? List.of(members) : List.of(members, bySize);
  }

  private ResourceRequest needs(TaskId member) {
    return gang.needs(member, alike);
  }

  /** Returns the GPU models to try for all members; one null if the model does not matter. */
  private List<String> models(List<TaskId> members) {
    List<String> any = new ArrayList<>();
    any.add(null);
    boolean choose =
        members.stream().map(this::needs).anyMatch(one -> one.gpus() > 0 && one.bound() == null);
    List<String> preferred =
        members.stream()
            .map(this::needs)
            .filter(GangPlacement::hasChoice)
            .flatMap(needs -> needs.alternatives().stream().map(ResourceRequest::gpuModel))
            .distinct()
            .toList();
    if (gang.mixed() || !choose || members.size() < 2 && preferred.isEmpty()) {
      return any;
    }
    Set<String> models = new TreeSet<>();
    for (RemainingNodeCapacity node : nodes) {
      node.offer().devices().stream()
          .filter(device -> members.stream().anyMatch(one -> isWanted(device, needs(one))))
          .map(DeviceOffer::model)
          .forEach(models::add);
    }
    List<String> inOrder =
        preferred.stream()
            .flatMap(one -> models.stream().filter(model -> DeviceOffer.matches(model, one)))
            .distinct()
            .toList();
    if (!inOrder.isEmpty()) {
      return inOrder;
    }
    return models.size() < 2 ? any : List.copyOf(models);
  }

  private static boolean isWanted(DeviceOffer device, ResourceRequest needs) {
    return needs.gpus() > 0 && needs.alternatives().stream().anyMatch(device::isWanted);
  }

  /** Returns whether one of several GPU models will do, in an order of preference. */
  private static boolean hasChoice(ResourceRequest needs) {
    return needs.alternatives().size() > 1;
  }

  /** Returns what a member needs if the gang is to have GPUs of this model; null for any. */
  private ResourceRequest needs(TaskId member, String model) {
    ResourceRequest needs = needs(member);
    boolean suits =
        model != null
            && needs.gpus() > 0
            && needs.bound() == null
            && DeviceOffer.matches(model, needs.gpuModel());
    return suits ? needs.withGpuModel(DeviceOffer.EXACTLY + model) : needs;
  }

  private Outcome attempt(List<TaskId> members, String model) {
    return style.fillsNodes() ? fill(members, model) : spread(members, model);
  }

  private Outcome spread(List<TaskId> members, String model) {
    List<Member> placed = new ArrayList<>();
    for (TaskId member : members) {
      ResourceRequest needs = needs(member, model);
      Optional<RemainingNodeCapacity> node = rules.next(member, needs);
      if (node.isEmpty()) {
        return new Outcome(List.of(), placed.size(), reasons(needs));
      }
      placed.add(take(member, needs, node.get()));
    }
    return new Outcome(placed, placed.size(), List.of());
  }

  private Outcome fill(List<TaskId> members, String model) {
    List<Member> placed = new ArrayList<>();
    Map<RemainingNodeCapacity, Integer> known = new HashMap<>();
    while (placed.size() < members.size()) {
      List<TaskId> left = members.subList(placed.size(), members.size());
      RemainingNodeCapacity best = null;
      int most = 0;
      for (RemainingNodeCapacity node : nodes) {
        int count =
            Math.min(left.size(), known.computeIfAbsent(node, one -> count(one, left, model)));
        if (count > most || count == most && count > 0 && isTighter(node, best)) {
          best = node;
          most = count;
        }
      }
      if (best == null) {
        return new Outcome(List.of(), placed.size(), reasons(needs(left.get(0), model)));
      }
      for (TaskId member : left.subList(0, most)) {
        placed.add(take(member, needs(member, model), best));
      }
      RemainingNodeCapacity filled = best;
      boolean counts = !needs(left.get(0)).nodeNeeds().counted().isEmpty();
      known.keySet().removeIf(node -> counts || !gang.roles().isEmpty() || isShared(node, filled));
    }
    return new Outcome(placed, placed.size(), List.of());
  }

  /** Returns whether what is taken of one node may also be gone from the other. */
  private static boolean isShared(RemainingNodeCapacity node, RemainingNodeCapacity other) {
    return node.offer().machine().id().equals(other.offer().machine().id())
        || !Collections.disjoint(ids(node), ids(other));
  }

  private static List<DeviceId> ids(RemainingNodeCapacity node) {
    return node.offer().devices().stream().map(DeviceOffer::id).toList();
  }

  private static boolean isTighter(RemainingNodeCapacity node, RemainingNodeCapacity other) {
    int gpus = node.wholeGpus(null) - other.wholeGpus(null);
    return gpus < 0 || gpus == 0 && node.freeCpus() < other.freeCpus();
  }

  /** Returns how many of the members fit on a node, from the first on. */
  private int count(RemainingNodeCapacity node, List<TaskId> members, String model) {
    NodeCheckpoint before = node.remember();
    int count = 0;
    for (TaskId member : members) {
      ResourceRequest needs = needs(member, model);
      if (rules.refusal(node, needs).isPresent()) {
        break;
      }
      node.take(needs, type, style.devices());
      count++;
    }
    node.restore(before);
    return count;
  }

  private Member take(TaskId member, ResourceRequest needs, RemainingNodeCapacity node) {
    taken.push(new Taken(node, node.remember()));
    return new Member(member, node, node.take(needs, type, style.devices()));
  }

  /** Gives back what an attempt has taken, the last first: two may be views of one node. */
  private void giveBack() {
    while (!taken.isEmpty()) {
      Taken last = taken.pop();
      last.node().restore(last.before());
    }
  }

  private List<WaitReason> reasons(ResourceRequest needs) {
    List<WaitReason> reasons = new ArrayList<>();
    for (RemainingNodeCapacity node : nodes) {
      rules.refusal(node, needs).ifPresent(reasons::add);
    }
    return reasons.isEmpty() ? NO_NODES : FitCheck.once(reasons);
  }
}
