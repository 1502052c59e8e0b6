package io.remuda.coordinator.schedule;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.SlotRelease;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What a node that shares nothing with others has free after a task has its place. */
public final class AppliedPlacement {

  private AppliedPlacement() {}

  /** Returns what the node has free then. */
  public static NodeOffer to(NodeOffer node, ResourceRequest needs, List<DeviceId> devices) {
    Amount cpus = new Amount(node.cpus().free() - needs.milliCpus(), node.cpus().total());
    Amount memory = new Amount(node.memory().free() - needs.memory(), node.memory().total());
    List<DeviceOffer> left = new ArrayList<>(node.devices());
    left.replaceAll(one -> devices.contains(one.id()) ? after(one, needs) : one);
    List<SlotRelease> releases = new ArrayList<>(node.releases());
    releases.add(
        new SlotRelease(0, 0, OptionalLong.empty(), needs.milliCpus(), needs.memory(), devices));
    return new NodeOffer(
        node.node(),
        new NodeOffer.MachineOffer(node.machine().id(), cpus, memory),
        node.presence(),
        node.labels(),
        cpus,
        memory,
        left,
        releases,
        node.pause(),
        node.tasks() + 1,
        node.counted());
  }

  private static DeviceOffer after(DeviceOffer device, ResourceRequest needs) {
    boolean shared = needs.gpuShare().isShared();
    long part = needs.gpuShare().partOf(device.totalMemory());
    return new DeviceOffer(
        device.id(),
        device.model(),
        device.totalMemory(),
        shared ? Math.max(0, device.freeMemory() - part) : 0,
        shared ? DeviceOffer.Standing.SHARED : DeviceOffer.Standing.TAKEN,
        device.load().plus(needs, null),
        Map.of());
  }
}
