package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.ClusterCapacity;
import io.remuda.coordinator.schedule.model.NodeCapacity;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Capacity reserved for the first job that cannot start yet, so that smaller jobs cannot overtake
 * it for ever. On the nodes where it will start, another task is placed only if it leaves enough
 * for the job, or if its time limit ends before the node would be empty.
 */
final class Reservation {

  private final JobId job;
  private final Map<String, Integer> tasksByNode;
  private final ResourceRequest needs;
  private final long now;

  private Reservation(
      JobId job, Map<String, Integer> tasksByNode, ResourceRequest needs, long now) {
    this.job = job;
    this.tasksByNode = tasksByNode;
    this.needs = needs;
    this.now = now;
  }

  /**
   * Chooses nodes on which {@code count} tasks would fit if all others had ended. Devices that a
   * process is bound to are not given to other tasks in this plan at all.
   *
   * @param rooms capacity of all nodes
   * @param inOrder the nodes in order of preference
   * @param now in nanoseconds of the monotonic clock
   * @return empty if they fit nowhere
   */
  static Optional<Reservation> of(
      JobId job,
      int count,
      ResourceRequest needs,
      ClusterCapacity rooms,
      List<String> inOrder,
      long now) {
    EmptyCluster empty = new EmptyCluster(rooms);
    Map<String, Integer> chosen = new HashMap<>();
    int left = count;
    for (String name : inOrder) {
      if (left == 0) {
        break;
      }
      NodeCapacity room = empty.get(name);
      while (left > 0 && FitCheck.refusal(room, needs).isEmpty()) {
        room.take(needs, null, NodeCapacity.fullestFirst());
        chosen.merge(name, 1, Integer::sum);
        left--;
      }
    }
    if (left > 0) {
      return Optional.empty();
    }
    if (needs.bound() != null) {
      chosen.keySet().forEach(node -> rooms.get(node).keep(needs.bound().devices()));
    }
    return Optional.of(new Reservation(job, chosen, needs, now));
  }

  /** The capacity of the nodes without their tasks, computed on demand by machine. */
  private static final class EmptyCluster {
    private final ClusterCapacity rooms = ClusterCapacity.of(List.of());
    private final Map<String, String> machines = new HashMap<>();
    private final Map<String, List<NodeOffer>> byMachine = new HashMap<>();

    EmptyCluster(ClusterCapacity now) {
      for (NodeCapacity room : now.all()) {
        NodeOffer offer = room.offer();
        machines.put(offer.node(), offer.machine().id());
        byMachine.computeIfAbsent(offer.machine().id(), machine -> new ArrayList<>(1)).add(offer);
      }
    }

    NodeCapacity get(String node) {
      List<NodeOffer> unseen = byMachine.remove(machines.get(node));
      if (unseen != null) {
        unseen.forEach(offer -> rooms.add(ifEmptied(offer)));
      }
      return rooms.get(node);
    }

    private static NodeOffer ifEmptied(NodeOffer offer) {
      return offer.presence() == NodeOffer.Presence.READY ? offer.emptied() : offer;
    }
  }

  /** Returns why another task that fits must not be placed on the node, empty if it may. */
  Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest other, long timeLimitMillis) {
    Integer kept = tasksByNode.get(node.name());
    if (kept == null || endsBefore(node, timeLimitMillis) || leavesEnough(node, other, kept)) {
      return Optional.empty();
    }
    return Optional.of(new WaitReason.HeldForOther(node.name(), job));
  }

  /**
   * Returns why a task waits that does not fit: the reservation if the task would fit on devices
   * that are kept for the job, else {@code lack}.
   */
  WaitReason reason(WaitReason lack, NodeCapacity node, ResourceRequest other) {
    boolean kept =
        needs.bound() != null && FitCheck.refusal(node.withKeptDevices(), other).isEmpty();
    return kept ? new WaitReason.HeldForOther(node.name(), job) : lack;
  }

  private boolean endsBefore(NodeCapacity node, long timeLimitMillis) {
    OptionalLong clearsAt = node.offer().clearsAt();
    return timeLimitMillis > 0
        && clearsAt.isPresent()
        && now + timeLimitMillis * 1_000_000 - clearsAt.getAsLong() <= 0;
  }

  private boolean leavesEnough(NodeCapacity node, ResourceRequest other, int tasks) {
    return leaves(node.freeCpus(), other.milliCpus(), needs.milliCpus() * tasks)
        && leaves(node.freeMemory(), other.memory(), needs.memory() * tasks)
        && (needs.bound() != null // bound devices are not given to others
            || leaves(node.wholeGpus(null), other.gpus(), (long) needs.gpus() * tasks));
  }

  private static boolean leaves(long free, long taken, long kept) {
    return taken == 0 || kept == 0 || free - taken >= kept;
  }
}
