package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The capacity of the nodes without their tasks, less what is kept for jobs that wait; computed on
 * demand by machine.
 */
final class EmptyCluster {

  private final RemainingClusterCapacity rooms = RemainingClusterCapacity.of(List.of());
  private final Map<String, String> machines = new HashMap<>();
  private final Map<String, List<NodeOffer>> byMachine = new HashMap<>();
  private final Map<String, List<ResourceRequest>> kept = new HashMap<>();

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

  /** Keeps room for tasks with these needs, as far as there is any, by node. */
  void keep(Map<String, List<ResourceRequest>> needs) {
    needs.forEach(
        (node, tasks) -> {
          RemainingNodeCapacity room = get(node);
          for (ResourceRequest one : tasks) {
            if (FitCheck.refusal(room, one).isEmpty()) {
              room.take(one, null, RemainingNodeCapacity.byIndex());
            }
          }
          isKept(node, tasks);
        });
  }

  /** Returns what the jobs need there for which it is kept. */
  List<ResourceRequest> kept(String node) {
    return kept.getOrDefault(node, List.of());
  }

  /** Notes that it is kept for tasks with these needs, whose resources are taken already. */
  void isKept(String node, List<ResourceRequest> tasks) {
    kept.computeIfAbsent(node, any -> new ArrayList<>()).addAll(tasks);
  }
}
