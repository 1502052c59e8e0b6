package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.NodeNames;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.Health;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The nodes that have joined, in the natural order of their names. One thread. */
public final class NodeRegistry {

  /**
   * A node.
   *
   * @param devicesFrom where its devices are known from, or why it has none
   * @param unhealthy devices that are lost or do not answer, as of its last sample
   */
  public record Node(
      String name,
      HostInfo host,
      List<DeviceInfo> devices,
      String devicesFrom,
      boolean reachable,
      Set<DeviceId> unhealthy) {
    public Node {
      devices = List.copyOf(devices);
      unhealthy = Set.copyOf(unhealthy);
    }

    /** Its devices' ids by index. */
    public List<DeviceId> deviceIds() {
      return devices.stream().map(DeviceInfo::id).toList();
    }
  }

  private final Map<String, Node> nodes = new TreeMap<>(NodeNames.ORDER);

  public void joined(String name, HostInfo host, List<DeviceInfo> devices, String devicesFrom) {
    nodes.put(name, new Node(name, host, devices, devicesFrom, true, Set.of()));
  }

  /** The node's driver knows other devices than before. */
  public void devices(String name, List<DeviceInfo> devices) {
    Node node = nodes.get(name);
    if (node != null) {
      nodes.put(
          name,
          new Node(
              name, node.host(), devices, node.devicesFrom(), node.reachable(), node.unhealthy()));
    }
  }

  /** Whether a reachable node has a device that answers, lent or not. */
  public boolean anyDeviceAnswers() {
    return nodes.values().stream()
        .filter(Node::reachable)
        .anyMatch(node -> node.deviceIds().stream().anyMatch(id -> !node.unhealthy().contains(id)));
  }

  public void silent(String name) {
    Node node = nodes.get(name);
    if (node != null) {
      nodes.put(
          name,
          new Node(name, node.host(), node.devices(), node.devicesFrom(), false, node.unhealthy()));
    }
  }

  /** Notes which devices of a node must not be lent. */
  public void sampled(NodeSample sample) {
    Node node = nodes.get(sample.node());
    if (node == null) {
      return;
    }
    Set<DeviceId> unhealthy = new HashSet<>();
    for (DeviceSample device : sample.devices()) {
      if (device.health() == Health.LOST || device.health() == Health.STALE) {
        unhealthy.add(device.id());
      }
    }
    if (!unhealthy.equals(node.unhealthy())) {
      nodes.put(
          node.name(),
          new Node(
              node.name(),
              node.host(),
              node.devices(),
              node.devicesFrom(),
              node.reachable(),
              unhealthy));
    }
  }

  public Optional<Node> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  public Collection<Node> all() {
    return List.copyOf(nodes.values());
  }
}
