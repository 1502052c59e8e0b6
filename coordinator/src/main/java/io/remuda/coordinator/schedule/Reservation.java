package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeCheckpoint;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Capacity reserved for the first job that cannot start yet, so that smaller jobs cannot overtake
 * it for ever. On the nodes where it will start, and on nodes of the same machines, another task is
 * placed only if it leaves enough for the job, or if its time limit ends before the job's node
 * would be empty.
 */
final class Reservation {

  /** Stands for devices of any model. */
  private static final String ANY = "";

  private final JobId job;
  private final Map<String, List<KeptNode>> byMachine;
  private final ResourceRequest needs;
  private final long now;

  /**
   * A node on which the job will start, and what its tasks need there.
   *
   * @param gpus number of devices by model; for any model, {@link #ANY}, that of all together
   * @param counted amounts of counted resources, of the node and of the cluster
   */
  private record KeptNode(
      RemainingNodeCapacity node,
      long cpus,
      long memory,
      Map<String, Long> gpus,
      Map<String, Long> counted) {
    static KeptNode of(RemainingNodeCapacity node, List<ResourceRequest> tasks) {
      Map<String, Long> gpus = new TreeMap<>();
      Map<String, Long> counted = new TreeMap<>();
      for (ResourceRequest task : tasks) {
        task.nodeNeeds().counted().forEach((name, most) -> counted.merge(name, most, Long::sum));
        if (task.gpus() > 0) {
          gpus.merge(
              task.gpuModel() == null ? ANY : task.gpuModel(), (long) task.gpus(), Long::sum);
        }
      }
      long all = gpus.values().stream().mapToLong(Long::longValue).sum();
      gpus.replace(ANY, all);
      return new KeptNode(
          node,
          tasks.stream().mapToLong(ResourceRequest::milliCpus).sum(),
          tasks.stream().mapToLong(ResourceRequest::memory).sum(),
          gpus,
          counted);
    }
  }

  private Reservation(
      JobId job, Map<String, List<KeptNode>> byMachine, ResourceRequest needs, long now) {
    this.job = job;
    this.byMachine = byMachine;
    this.needs = needs;
    this.now = now;
  }

  /**
   * Chooses nodes on which the first task of a class, or the whole gang, would fit if all others
   * had ended. Devices that a process is bound to are not given to other tasks in this plan at all.
   *
   * @param rooms capacity of all nodes, of which the roomiest are preferred
   * @param now in nanoseconds of the monotonic clock
   * @return empty if they fit nowhere
   */
  static Optional<Reservation> of(TaskClass waiting, RemainingClusterCapacity rooms, long now) {
    return of(waiting, rooms, roomiestFirst(rooms), now);
  }

  /**
   * Does the same.
   *
   * @param inOrder the nodes in order of preference
   */
  static Optional<Reservation> of(
      TaskClass waiting, RemainingClusterCapacity rooms, List<String> inOrder, long now) {
    ResourceRequest needs = waiting.key().needs();
    Map<String, List<ResourceRequest>> chosen =
        waiting.key().gang() == null
            ? ofOne(needs, rooms, inOrder)
            : ofGang(waiting, rooms, inOrder);
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    if (needs.bound() != null) {
      chosen.keySet().forEach(node -> rooms.get(node).keep(needs.bound().devices()));
    }
    Map<String, List<KeptNode>> byMachine = new HashMap<>();
    chosen.forEach(
        (name, tasks) ->
            byMachine
                .computeIfAbsent(rooms.get(name).offer().machine().id(), id -> new ArrayList<>(1))
                .add(KeptNode.of(rooms.get(name), tasks)));
    return Optional.of(new Reservation(waiting.tasks().first().job(), byMachine, needs, now));
  }

  private record LargestNode(String node, int wholeGpus, long freeCpus) {}

  /** Returns the nodes in order of preference. */
  private static List<String> roomiestFirst(RemainingClusterCapacity rooms) {
    return rooms.all().stream()
        .map(room -> new LargestNode(room.name(), room.wholeGpus(null), room.freeCpus()))
        .sorted(
            Comparator.comparingInt(LargestNode::wholeGpus)
                .thenComparingLong(LargestNode::freeCpus)
                .reversed())
        .map(LargestNode::node)
        .toList();
  }

  private static Map<String, List<ResourceRequest>> ofOne(
      ResourceRequest needs, RemainingClusterCapacity rooms, List<String> inOrder) {
    EmptyCluster empty = new EmptyCluster(rooms);
    for (ResourceRequest one : needs.alternatives()) {
      for (String name : inOrder) {
        if (FitCheck.refusal(empty.get(name), one).isEmpty()) {
          return Map.of(name, List.of(one));
        }
      }
    }
    return Map.of();
  }

  private static Map<String, List<ResourceRequest>> ofGang(
      TaskClass waiting, RemainingClusterCapacity rooms, List<String> inOrder) {
    TaskClass.SchedulingKey key = waiting.key();
    EmptyCluster empty = new EmptyCluster(rooms);
    GangPlacement.Outcome outcome =
        new GangPlacement(
                key.gang(),
                key.needs(),
                GangPlacement.Style.filling(key.policy()),
                null,
                inOrder.stream().map(empty::get).toList(),
                new FitCheck.EmptyClusterRules())
            .place(List.copyOf(waiting.tasks()));
    Map<String, List<ResourceRequest>> chosen = new HashMap<>();
    for (GangPlacement.Member member : outcome.members()) {
      chosen
          .computeIfAbsent(member.node().name(), node -> new ArrayList<>())
          .add(key.needs(member.task()));
    }
    return chosen;
  }

  /** The capacity of the nodes without their tasks, computed on demand by machine. */
  private static final class EmptyCluster {
    private final RemainingClusterCapacity rooms = RemainingClusterCapacity.of(List.of());
    private final Map<String, String> machines = new HashMap<>();
    private final Map<String, List<NodeOffer>> byMachine = new HashMap<>();

    EmptyCluster(RemainingClusterCapacity now) {
      for (RemainingNodeCapacity room : now.all()) {
        NodeOffer offer = room.offer();
        machines.put(offer.node(), offer.machine().id());
        byMachine.computeIfAbsent(offer.machine().id(), machine -> new ArrayList<>(1)).add(offer);
      }
    }

    RemainingNodeCapacity get(String node) {
      List<NodeOffer> unseen = byMachine.remove(machines.get(node));
      if (unseen != null) {
        unseen.forEach(offer -> rooms.add(ifEmptied(offer)));
      }
      return rooms.get(node);
    }

    private static NodeOffer ifEmptied(NodeOffer offer) {
      return offer.presence() == NodeOffer.Presence.READY ? offer.vacated() : offer;
    }
  }

  /** Returns why another task that fits must not be placed on the node, empty if it may. */
  Optional<WaitReason> refusal(
      RemainingNodeCapacity node, ResourceRequest other, long timeLimitMillis) {
    if (!leavesCounted(node, other)) {
      return Optional.of(new WaitReason.HeldForOther(node.name(), job));
    }
    for (KeptNode kept : byMachine.getOrDefault(node.offer().machine().id(), List.of())) {
      if (!endsBefore(kept.node(), timeLimitMillis) && !leavesEnough(kept, node, other)) {
        return Optional.of(new WaitReason.HeldForOther(node.name(), job));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns why a task waits that does not fit: the reservation if the task would fit on devices
   * that are kept for the job, else {@code lack}.
   */
  WaitReason reason(WaitReason lack, RemainingNodeCapacity node, ResourceRequest other) {
    boolean kept =
        needs.bound() != null && FitCheck.refusal(node.withKeptDevices(), other).isEmpty();
    return kept ? new WaitReason.HeldForOther(node.name(), job) : lack;
  }

  private boolean endsBefore(RemainingNodeCapacity node, long timeLimitMillis) {
    OptionalLong clearsAt = node.offer().clearsAt();
    return timeLimitMillis > 0
        && clearsAt.isPresent()
        && now + timeLimitMillis * 1_000_000 - clearsAt.getAsLong() <= 0;
  }

  /** Returns whether enough of the cluster's counted resources is left; when does not matter. */
  private boolean leavesCounted(RemainingNodeCapacity node, ResourceRequest other) {
    Map<String, Long> taken = other.nodeNeeds().counted();
    return taken.isEmpty()
        || taken.entrySet().stream()
            .filter(one -> node.countsInCluster(one.getKey()))
            .allMatch(
                one ->
                    leaves(
                        node.freeCounted(one.getKey()) - one.getValue(),
                        one.getValue(),
                        kept(one.getKey())));
  }

  private long kept(String counted) {
    return byMachine.values().stream()
        .flatMap(List::stream)
        .mapToLong(node -> node.counted().getOrDefault(counted, 0L))
        .sum();
  }

  private boolean leavesEnough(KeptNode kept, RemainingNodeCapacity node, ResourceRequest other) {
    RemainingNodeCapacity own = kept.node();
    long cpus = own.freeCpus();
    long memory = own.freeMemory();
    NodeCheckpoint before = node.remember();
    node.take(other.withoutGpus(), null, RemainingNodeCapacity.byIndex());
    boolean enough =
        leaves(own.freeCpus(), cpus - own.freeCpus(), kept.cpus())
            && leaves(own.freeMemory(), memory - own.freeMemory(), kept.memory())
            && leavesCountedOfNode(kept, node, other);
    node.restore(before);
    return enough && leavesGpus(kept, node, other);
  }

  /** Returns whether enough is left of what the node counts, after the other task has its part. */
  private static boolean leavesCountedOfNode(
      KeptNode kept, RemainingNodeCapacity node, ResourceRequest other) {
    Map<String, Long> taken = other.nodeNeeds().counted();
    return !node.name().equals(kept.node().name())
        || kept.counted().entrySet().stream()
            .allMatch(
                one ->
                    leaves(
                        kept.node().freeCounted(one.getKey()),
                        taken.getOrDefault(one.getKey(), 0L),
                        one.getValue()));
  }

  private boolean leavesGpus(KeptNode kept, RemainingNodeCapacity node, ResourceRequest other) {
    if (needs.bound() != null) {
      return true; // bound devices are not given to others
    }
    for (Map.Entry<String, Long> wanted : kept.gpus().entrySet()) {
      String model = wanted.getKey().equals(ANY) ? null : wanted.getKey();
      if (competesFor(kept.node(), model, node, other)
          && !leaves(
              kept.node().wholeGpus(model) - other.gpus(), other.gpus(), wanted.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the other task may get a device of this model of the kept node. */
  private static boolean competesFor(
      RemainingNodeCapacity kept, String model, RemainingNodeCapacity node, ResourceRequest other) {
    Set<DeviceId> suitable = new HashSet<>();
    for (DeviceOffer device : kept.offer().devices()) {
      if (device.isModel(model) && device.isWanted(other)) {
        suitable.add(device.id());
      }
    }
    return node.offer().devices().stream().anyMatch(own -> suitable.contains(own.id()));
  }

  /** Returns whether enough is left, or the other task takes nothing of what is kept. */
  private static boolean leaves(long left, long taken, long kept) {
    return taken == 0 || kept == 0 || left >= kept;
  }
}
