package io.remuda.coordinator.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.MigSlot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster, each with all that it has and without its tasks. */
public final class ReplayNodes {

  private static final double LEAST_CPUS = 0.001;
  private static final double CPUS_OF_A_GPU = 16;
  private static final long MEMORY_OF_A_GPU = 128L << 30;

  /** A node: what it offers. */
  private record Node(
      String name,
      double cpus,
      long memory,
      Map<String, String> labels,
      Map<String, Long> counted,
      List<DeviceInfo> devices) {}

  private final List<Node> nodes;

  private ReplayNodes(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /**
   * Returns the nodes of an answer to {@code GET /nodes}, drained and silent ones, too.
   *
   * @param answer with the nodes in {@code nodes}
   */
  static ReplayNodes of(JsonNode answer) {
    List<Node> nodes = new ArrayList<>();
    for (JsonNode node : answer.path("nodes")) {
      Map<String, String> labels = new HashMap<>();
      node.path("labels")
          .fields()
          .forEachRemaining(one -> labels.put(one.getKey(), one.getValue().asText()));
      Map<String, Long> counted = new HashMap<>();
      node.path("resources")
          .fields()
          .forEachRemaining(
              one -> counted.put(one.getKey(), one.getValue().path("total").asLong()));
      counted.values().removeIf(total -> total < 1);
      List<DeviceInfo> devices = new ArrayList<>();
      node.path("devices").forEach(device -> devices.add(device(device, devices.size())));
      nodes.add(
          new Node(
              node.path("name").asText(),
              node.path("cpus").asDouble(),
              node.path("memoryBytes").asLong(),
              labels,
              counted,
              devices));
    }
    return new ReplayNodes(nodes);
  }

  private static DeviceInfo device(JsonNode device, int position) {
    String[] number = device.path("number").asText("").split(":");
    boolean known = number[0].matches("\\d{1,6}");
    int index = known ? Integer.parseInt(number[0]) : position;
    MigSlot slot =
        known && number.length == 2 && number[1].matches("\\d{1,6}")
            ? new MigSlot(new DeviceId("gpu-of-" + index), Integer.parseInt(number[1]))
            : null;
    return new DeviceInfo(
        new DeviceId(device.path("uuid").asText()),
        index,
        DeviceVendor.SIMULATED,
        device.path("model").asText(),
        null,
        device.path("memoryBytes").asLong(),
        null,
        slot);
  }

  /** Returns the number of GPUs. */
  public int gpus() {
    return nodes.stream().mapToInt(node -> node.devices().size()).sum();
  }

  /** Returns the number of nodes. */
  public int size() {
    return nodes.size();
  }

  /**
   * Returns the nodes with further ones, which have as many cores and as much memory for a GPU as
   * the present nodes with GPUs have; without such 16 cores and 128 GiB.
   */
  ReplayNodes with(List<AddedNode> added) {
    double gpus = 0;
    double cpus = 0;
    double memory = 0;
    for (Node node : nodes) {
      if (!node.devices().isEmpty()) {
        gpus += node.devices().size();
        cpus += node.cpus();
        memory += node.memory();
      }
    }
    double cpusEach = gpus == 0 ? CPUS_OF_A_GPU : cpus / gpus;
    double memoryEach = gpus == 0 ? MEMORY_OF_A_GPU : memory / gpus;
    List<Node> all = new ArrayList<>(nodes);
    for (AddedNode one : added) {
      String name = "added-" + (all.size() - nodes.size() + 1);
      List<DeviceInfo> devices = new ArrayList<>();
      for (int i = 0; i < one.gpus(); i++) {
        devices.add(
            new DeviceInfo(
                new DeviceId(name + "/" + i),
                i,
                DeviceVendor.SIMULATED,
                one.model().name(),
                null,
                one.model().memoryBytes(),
                null));
      }
      all.add(
          new Node(
              name,
              cpusEach * one.gpus(),
              (long) (memoryEach * one.gpus()),
              Map.of(),
              Map.of(),
              devices));
    }
    return new ReplayNodes(all);
  }

  /** Returns them as the scheduler knows nodes. */
  NodeRegistry registry() {
    NodeRegistry registry = new NodeRegistry();
    for (Node node : nodes) {
      HostInfo host =
          new HostInfo(
              node.name(),
              "",
              Math.max(1, (int) Math.ceil(node.cpus())),
              Math.max(LEAST_CPUS, node.cpus()),
              node.memory(),
              node.memory());
      registry.joined(
          node.name(),
          host,
          MachineFacts.of(host, node.name()),
          node.devices(),
          "",
          node.labels(),
          node.counted(),
          NodeAddressAndPorts.LOOPBACK,
          NodeAddressAndPorts.LOOPBACK.address());
    }
    return registry;
  }
}
