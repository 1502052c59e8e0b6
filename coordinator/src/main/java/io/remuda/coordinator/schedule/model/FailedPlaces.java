package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import java.util.HashSet;
import java.util.Set;

/** Where a task has failed: its next try prefers other devices, and other nodes. */
public record FailedPlaces(Set<String> nodes, Set<DeviceId> devices) {

  /** It has not failed anywhere. */
  public static final FailedPlaces NONE = new FailedPlaces(Set.of(), Set.of());

  public FailedPlaces {
    nodes = Set.copyOf(nodes);
    devices = Set.copyOf(devices);
  }

  /** Returns these places and others. */
  public FailedPlaces and(FailedPlaces others) {
    if (nodes.isEmpty()) {
      return others;
    }
    Set<String> allNodes = new HashSet<>(nodes);
    allNodes.addAll(others.nodes);
    Set<DeviceId> allDevices = new HashSet<>(devices);
    allDevices.addAll(others.devices);
    return new FailedPlaces(allNodes, allDevices);
  }
}
