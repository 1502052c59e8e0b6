package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeCheckpoint;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Capacity reserved for a job that cannot start yet, so that smaller jobs cannot overtake it for
 * ever. On the nodes where it will start, and on nodes of the same machines, another task is placed
 * only if it leaves enough for the job, or if it has ended before the job could start there by what
 * is expected of the tasks that run.
 */
final class Reservation {

  /** Number of nodes that are compared by when a task will fit. */
  private static final int MOST_COMPARED = 64;

  /** Stands for devices of any model. */
  private static final String ANY = "";

  private final JobId job;
  private final Map<String, List<KeptNode>> byMachine;
  private final ResourceRequest needs;
  private final Map<String, List<ResourceRequest>> chosen;
  private final OptionalLong startsAt;
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
      JobId job,
      Map<String, List<KeptNode>> byMachine,
      ResourceRequest needs,
      Map<String, List<ResourceRequest>> chosen,
      OptionalLong startsAt,
      long now) {
    this.job = job;
    this.byMachine = byMachine;
    this.needs = needs;
    this.chosen = chosen;
    this.startsAt = startsAt;
    this.now = now;
  }

  /**
   * Chooses nodes on which the first task of a class, or the whole gang, would fit if all others
   * had ended: for a task the one where it is expected to fit first. Devices that a process is
   * bound to are not given to other tasks in this plan at all.
   *
   * @param job the task's
   * @param rooms capacity of all nodes
   * @param empty what is not kept for other jobs; notes what is kept for this one
   * @param inOrder the nodes in order of preference, where nothing is known of their tasks' ends
   * @param company beside whom they may be
   * @param now in nanoseconds of the monotonic clock
   * @return empty if they fit nowhere
   */
  static Optional<Reservation> of(
      TaskClass waiting,
      JobId job,
      RemainingClusterCapacity rooms,
      EmptyCluster empty,
      List<String> inOrder,
      Filter company,
      long now) {
    ResourceRequest needs = waiting.key().needs();
    Map<String, List<ResourceRequest>> chosen =
        waiting.key().gang() == null
            ? ofOne(needs, rooms, empty, inOrder, company, now)
            : ofGang(waiting, empty, inOrder);
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    if (needs.bound() != null) {
      chosen.keySet().forEach(node -> rooms.get(node).keep(needs.bound().devices()));
    }
    Map<String, List<KeptNode>> byMachine = new HashMap<>();
    OptionalLong startsAt = OptionalLong.of(now);
    for (Map.Entry<String, List<ResourceRequest>> node : chosen.entrySet()) {
      RemainingNodeCapacity room = rooms.get(node.getKey());
      List<ResourceRequest> kept = List.copyOf(empty.kept(node.getKey()));
      List<ResourceRequest> all = new ArrayList<>(kept);
      all.addAll(node.getValue());
      startsAt = later(startsAt, ExpectedFit.at(room, kept, node.getValue(), company, now));
      empty.isKept(node.getKey(), node.getValue());
      byMachine
          .computeIfAbsent(room.offer().machine().id(), id -> new ArrayList<>(1))
          .add(KeptNode.of(room, all));
    }
    return Optional.of(new Reservation(job, byMachine, needs, chosen, startsAt, now));
  }

  private static OptionalLong later(OptionalLong one, OptionalLong other) {
    return one.isEmpty() || (other.isPresent() && one.getAsLong() - other.getAsLong() >= 0)
        ? one
        : other;
  }

  private static Map<String, List<ResourceRequest>> ofOne(
      ResourceRequest needs,
      RemainingClusterCapacity rooms,
      EmptyCluster empty,
      List<String> inOrder,
      Filter company,
      long now) {
    for (ResourceRequest one : needs.alternatives()) {
      String best = null;
      OptionalLong earliest = OptionalLong.empty();
      int compared = 0;
      for (String name : inOrder) {
        if (compared == MOST_COMPARED) {
          break;
        }
        if (FitCheck.refusal(empty.get(name), one).isEmpty()) {
          compared++;
          OptionalLong at =
              ExpectedFit.at(rooms.get(name), empty.kept(name), List.of(one), company, now);
          if (best == null
              || (at.isPresent()
                  && (earliest.isEmpty() || at.getAsLong() - earliest.getAsLong() < 0))) {
            best = name;
            earliest = at;
          }
        }
      }
      if (best != null) {
        empty.get(best).take(one, null, RemainingNodeCapacity.byIndex());
        return Map.of(best, List.of(one));
      }
    }
    return Map.of();
  }

  private static Map<String, List<ResourceRequest>> ofGang(
      TaskClass waiting, EmptyCluster empty, List<String> inOrder) {
    TaskClass.SchedulingKey key = waiting.key();
    GangPlacement.Outcome outcome =
        new GangPlacement(
                key.gang(),
                key.needs(),
                GangPlacement.Style.filling(key.policy()),
                null,
                inOrder.stream().map(empty::get).toList(),
                new FitCheck.EmptyClusterRules())
            .place(List.copyOf(waiting.tasks()));
    Map<String, List<ResourceRequest>> chosen = new TreeMap<>();
    for (GangPlacement.Member member : outcome.members()) {
      chosen
          .computeIfAbsent(member.node().name(), node -> new ArrayList<>())
          .add(key.needs(member.task()));
    }
    return chosen;
  }

  /** Returns the job for which it is kept. */
  JobId job() {
    return job;
  }

  /** Returns the nodes where it will start, and what its tasks need there. */
  Map<String, List<ResourceRequest>> chosen() {
    return chosen;
  }

  /** Returns when the job is expected to start, if all keep their times; empty if not known. */
  OptionalLong startsAt() {
    return startsAt;
  }

  /**
   * Returns whether another task that fits may be placed on the node.
   *
   * @param millis after which it will have ended; 0 if that is not known
   */
  boolean allows(RemainingNodeCapacity node, ResourceRequest other, long millis) {
    if (!leavesCounted(node, other)) {
      return false;
    }
    for (KeptNode kept : byMachine.getOrDefault(node.offer().machine().id(), List.of())) {
      if (!endsBefore(millis) && !leavesEnough(kept, node, other)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a task that does not fit would fit on devices that are kept for the job. */
  boolean keepsDevices(RemainingNodeCapacity node, ResourceRequest other) {
    return needs.bound() != null && FitCheck.refusal(node.withKeptDevices(), other).isEmpty();
  }

  private boolean endsBefore(long millis) {
    return millis > 0
        && startsAt.isPresent()
        && now + millis * 1_000_000 - startsAt.getAsLong() <= 0;
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
