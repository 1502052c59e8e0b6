package io.remuda.coordinator.testkit;

import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.HostInfo;
import java.util.List;
import java.util.Map;

/** Nodes for tests. */
public final class PlainNodes {

  private PlainNodes() {}

  /** Returns a node without counted resources, foreign tasks and a standstill. */
  public static NodeRegistry.Node node(
      String name,
      HostInfo host,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels,
      boolean reachable,
      boolean draining,
      Map<DeviceId, DeviceSample> readings) {
    return new NodeRegistry.Node(
        name,
        host,
        MachineFacts.of(host, ""),
        devices,
        devicesFrom,
        labels,
        Map.of(),
        reachable,
        draining ? NodeDrain.whole("") : NodeDrain.NONE,
        readings,
        List.of(),
        null,
        NodeAddressAndPorts.LOOPBACK,
        NodeAddressAndPorts.LOOPBACK.address());
  }
}
