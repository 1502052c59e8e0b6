package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which attempts hold which devices. Single-threaded. */
final class DeviceHolders {

  private final TaskTable table;
  private final OfferCache offers;

  DeviceHolders(TaskTable table, OfferCache offers) {
    this.table = table;
    this.offers = offers;
  }

  /**
   * Returns the attempts that hold each lent device, by number. A starting attempt is left out if
   * another process recently held the device's lock.
   */
  Map<DeviceId, List<AttemptId>> byDevice() {
    Map<DeviceId, List<AttemptId>> holders = new HashMap<>();
    for (PlacedTask task : table.placed()) {
      for (DeviceId device : task.place().devices()) {
        if (task.state() == TaskState.STARTING && offers.wasHeldLately(device)) {
          continue;
        }
        holders.computeIfAbsent(device, id -> new ArrayList<>()).add(task.attemptId());
      }
    }
    return holders;
  }

  /** Adds to reasons that lack counted resources which tasks hold these. */
  static List<WaitReason> withHolders(List<WaitReason> reasons, TaskTable table) {
    List<WaitReason> all = new ArrayList<>(reasons);
    Set<String> lacking = new TreeSet<>();
    for (WaitReason reason : reasons) {
      if (reason instanceof WaitReason.TooFewCounted few && few.free() < few.total()) {
        lacking.add(few.resource());
      } else if (reason instanceof WaitReason.TooFewInCluster few && few.free() < few.total()) {
        lacking.add(few.resource());
      }
    }
    for (String resource : lacking) {
      List<TaskId> holders =
          table.placed().stream()
              .filter(task -> table.needs(task).nodeNeeds().counted().containsKey(resource))
              .map(PlacedTask::id)
              .sorted()
              .toList();
      if (!holders.isEmpty()) {
        all.add(new WaitReason.CountedHeldBy(resource, holders));
      }
    }
    return all;
  }

  /**
   * Adds to reasons for which a node's devices do not suffice why those that the task could use are
   * not lent: they are drained, rest, or strangers use them.
   */
  static List<WaitReason> withDeviceStates(
      List<WaitReason> reasons, ResourceRequest needs, List<NodeOffer> offers) {
    List<WaitReason> all = new ArrayList<>();
    for (WaitReason reason : reasons) {
      all.add(reason);
      if (reason instanceof WaitReason.OfNode ofNode && lacksDevices(reason)) {
        offers.stream()
            .filter(offer -> offer.node().equals(ofNode.node()))
            .forEach(
                offer -> {
                  all.addAll(drained(offer, needs));
                  all.addAll(notLent(offer, needs));
                });
      }
    }
    return all;
  }

  private static List<WaitReason> notLent(NodeOffer offer, ResourceRequest needs) {
    List<WaitReason> reasons = new ArrayList<>();
    for (DeviceOffer device : offer.devices()) {
      if (device.rest() != null && device.isWanted(needs)) {
        reasons.add(new WaitReason.GpusResting(offer.node(), device.id(), device.rest()));
      } else if (device.isWanted(needs) && isOccupied(device, needs)) {
        StrangerMemory others = device.strangers();
        reasons.add(
            new WaitReason.GpusOccupied(
                offer.node(), device.id(), others.bytes(), others.tolerated(), others.processes()));
      }
    }
    return reasons;
  }

  /** Returns whether strangers keep a device from a task, or part of its memory. */
  private static boolean isOccupied(DeviceOffer device, ResourceRequest needs) {
    return needs.gpuShare().isShared()
        ? device.strangers().isTooMuch()
        : device.standing() == DeviceOffer.Standing.OCCUPIED;
  }

  private static boolean lacksDevices(WaitReason reason) {
    return reason instanceof WaitReason.TooFewFreeGpus
        || reason instanceof WaitReason.TooLittleGpuMemory
        || reason instanceof WaitReason.TooManyOnGpus
        || reason instanceof WaitReason.GpusTooBusy
        || reason instanceof WaitReason.SlowTogether
        || reason instanceof WaitReason.NoRoomOnGpus
        || reason instanceof WaitReason.GpusHeldByOthers;
  }

  /** Returns a reason for all devices that are drained for one. */
  private static List<WaitReason> drained(NodeOffer offer, ResourceRequest needs) {
    Map<String, List<DeviceId>> byReason = new LinkedHashMap<>();
    for (DeviceOffer device : offer.devices()) {
      if (device.drained() != null && device.isWanted(needs)) {
        byReason.computeIfAbsent(device.drained(), why -> new ArrayList<>()).add(device.id());
      }
    }
    List<WaitReason> reasons = new ArrayList<>();
    byReason.forEach(
        (why, devices) ->
            reasons.add(
                new WaitReason.GpusDraining(offer.node(), devices, why.isEmpty() ? null : why)));
    return reasons;
  }

  /** Returns the resources promised to each attempt that holds devices. */
  Map<AttemptId, ResourceRequest> promised() {
    Map<AttemptId, ResourceRequest> promised = new HashMap<>();
    for (PlacedTask task : table.placed()) {
      if (!task.place().devices().isEmpty()) {
        promised.put(task.attemptId(), table.needs(task));
      }
    }
    return promised;
  }
}
