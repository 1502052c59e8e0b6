package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.schedule.model.NodeNameOrder;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.NodeSample;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The nodes that have joined, in the natural order of their names. Single-threaded. */
public final class NodeRegistry {

  /**
   * A node.
   *
   * @param machine that it is on, possibly with others
   * @param devicesFrom source of the list of its devices, or why it has none
   * @param labels the labels that it was started with, and {@code node}, its name
   * @param counted amounts of its counted resources
   * @param reachable whether it is connected
   * @param drain what of it gets no more tasks
   * @param readings last sample of each device, with the processes that were listed last
   * @param foreign running tasks of another state file, with their resources
   * @param standstill what does not respond there; null without a standstill
   * @param network how other nodes reach it
   * @param reachedAt the address of this server to which it is connected
   */
  public record Node(
      String name,
      HostInfo host,
      MachineFacts machine,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels,
      Map<String, Long> counted,
      boolean reachable,
      NodeDrain drain,
      Map<DeviceId, DeviceSample> readings,
      List<TaskReport> foreign,
      NodePause.Standstill standstill,
      NodeAddressAndPorts network,
      String reachedAt) {
    public Node {
      foreign = List.copyOf(foreign);
      devices = List.copyOf(devices);
      labels = Map.copyOf(labels);
      counted = Map.copyOf(counted);
      readings = Map.copyOf(readings);
    }

    /** Returns the ids of its devices by index. */
    public List<DeviceId> deviceIds() {
      return devices.stream().map(DeviceInfo::id).toList();
    }

    /** Returns the devices that are lost or do not answer, as of its last sample. */
    public Set<DeviceId> unhealthy() {
      Set<DeviceId> unhealthy = new HashSet<>();
      for (DeviceSample device : readings.values()) {
        if (device.health() == DeviceHealth.LOST || device.health() == DeviceHealth.STALE) {
          unhealthy.add(device.id());
        }
      }
      return unhealthy;
    }

    /** Returns the node with other things that change while it is there. */
    private Node with(
        List<DeviceInfo> nowDevices,
        boolean nowReachable,
        NodeDrain nowDrain,
        Map<DeviceId, DeviceSample> nowReadings,
        List<TaskReport> nowForeign,
        NodePause.Standstill nowStandstill) {
      return new Node(
          name,
          host,
          machine,
          nowDevices,
          devicesFrom,
          labels,
          counted,
          nowReachable,
          nowDrain,
          nowReadings,
          nowForeign,
          nowStandstill,
          network,
          reachedAt);
    }

    private Node reachable(boolean now) {
      return with(devices, now, drain, readings, foreign, null);
    }

    private Node withDevices(List<DeviceInfo> now) {
      return with(now, reachable, drain, readings, foreign, standstill);
    }

    private Node withReadings(Map<DeviceId, DeviceSample> now) {
      return with(devices, reachable, drain, now, foreign, standstill);
    }

    private Node withDrain(NodeDrain now) {
      return with(devices, reachable, now, readings, foreign, standstill);
    }

    private Node withForeign(List<TaskReport> now) {
      return with(devices, reachable, drain, readings, now, standstill);
    }

    private Node withStandstill(NodePause.Standstill now) {
      return with(devices, reachable, drain, readings, foreign, now);
    }

    /** Returns whether it gets no more tasks because a user has drained it. */
    public boolean draining() {
      return drain.isWhole();
    }

    /** Returns why some of its devices get no more tasks; not of those that it has no more. */
    public Map<DeviceId, String> drainedDevices() {
      Map<DeviceId, String> drained = new HashMap<>(drain.gpus());
      drained.keySet().retainAll(deviceIds());
      return drained;
    }

    /** Returns whether tasks may be placed on it. */
    boolean takesTasks() {
      return reachable && !draining() && standstill == null;
    }
  }

  /** Decrease of used device memory, in bytes, that starts a cycle; noise in samples is smaller. */
  private static final long WORTH_A_LOOK = 16L << 20;

  private final Map<String, Node> nodes = new TreeMap<>(NodeNameOrder.ORDER);
  private final Map<String, NodeSample> samples = new HashMap<>();

  /** What the agents of nodes said when they ended. */
  private final Map<String, String> left = new HashMap<>();

  /** What of nodes is drained, whether they have joined or join later. */
  private final Map<String, NodeDrain> drains = new HashMap<>();

  /** Since when nodes are silent, in nanoseconds of one monotonic clock. */
  private final Map<String, Long> silentSince = new HashMap<>();

  public void joined(String name, HostInfo host, List<DeviceInfo> devices, String devicesFrom) {
    joined(
        name,
        host,
        MachineFacts.of(host, ""),
        devices,
        devicesFrom,
        Map.of(),
        Map.of(),
        NodeAddressAndPorts.LOOPBACK,
        NodeAddressAndPorts.LOOPBACK.address());
  }

  /**
   * Adds a node that has joined, for the first time or again.
   *
   * @param counted amounts of its counted resources
   * @param network how other nodes reach it
   * @param reachedAt the address of this server to which it is connected
   */
  public void joined(
      String name,
      HostInfo host,
      MachineFacts machine,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels,
      Map<String, Long> counted,
      NodeAddressAndPorts network,
      String reachedAt) {
    silentSince.remove(name);
    left.remove(name);
    samples.remove(name);
    Map<String, String> all = new HashMap<>(labels);
    all.putIfAbsent("node", name);
    nodes.put(
        name,
        new Node(
            name,
            host,
            machine,
            devices,
            devicesFrom,
            all,
            counted,
            true,
            drain(name),
            Map.of(),
            List.of(),
            null,
            network,
            reachedAt));
  }

  /** Returns since when a node is silent, in nanoseconds; empty for one that is connected. */
  public Optional<Long> silentSince(String name) {
    return Optional.ofNullable(silentSince.get(name));
  }

  /** Replaces the devices of a node. */
  public void devices(String name, List<DeviceInfo> devices) {
    nodes.computeIfPresent(name, (key, node) -> node.withDevices(devices));
  }

  /**
   * Replaces the tasks of another state file on the node.
   *
   * @return whether they have changed
   */
  public boolean foreign(String name, List<TaskReport> tasks) {
    Node node = nodes.get(name);
    if (node == null || node.foreign().equals(tasks)) {
      return false;
    }
    nodes.put(name, node.withForeign(tasks));
    return true;
  }

  /**
   * Records a standstill on the node, or its end with {@code null}.
   *
   * @return whether it has begun or ended with this call
   */
  public boolean standsStill(String name, NodePause.Standstill now) {
    Node node = nodes.get(name);
    boolean before = node != null && node.standstill() != null;
    boolean news = node != null && before != (now != null);
    if (news) { // the first report has the time at which it began
      nodes.put(name, node.withStandstill(now));
    }
    return news;
  }

  /** Returns what of a node gets no more tasks. */
  public NodeDrain drain(String name) {
    return drains.getOrDefault(name, NodeDrain.NONE);
  }

  /** Returns the nodes of which a GPU is drained, which several may see; in order. */
  public List<String> drainedOn(DeviceId gpu) {
    return drains.keySet().stream()
        .filter(name -> drains.get(name).gpus().containsKey(gpu))
        .sorted(NodeNameOrder.ORDER)
        .toList();
  }

  /**
   * Stops placing tasks on a node or on some of its GPUs, or allows them again, whether it has
   * joined or joins later.
   *
   * @return what of it gets no more tasks from now on
   */
  public NodeDrain drain(String name, UnaryOperator<NodeDrain> change) {
    NodeDrain now = change.apply(drain(name));
    drains.put(name, now);
    drains.values().removeIf(NodeDrain.NONE::equals);
    nodes.computeIfPresent(name, (key, node) -> node.withDrain(now));
    return now;
  }

  /** Returns whether a reachable node has a device that answers, lent or not. */
  public boolean anyDeviceAnswers() {
    return nodes.values().stream()
        .filter(Node::reachable)
        .anyMatch(
            node -> {
              Set<DeviceId> unhealthy = node.unhealthy();
              return node.deviceIds().stream().anyMatch(id -> !unhealthy.contains(id));
            });
  }

  /**
   * The node does not answer.
   *
   * @param now nanoseconds of a monotonic clock
   */
  public void silent(String name, long now) {
    nodes.computeIfPresent(name, (key, node) -> node.reachable(false));
    silentSince.putIfAbsent(name, now);
  }

  /** Notes why a node's agent ends, as it has said itself. */
  public void left(String name, String why) {
    left.put(name, why);
  }

  /** Returns why a node is silent, if its agent has said before that it ends. */
  public Optional<String> whyLeft(String name) {
    return silentSince.containsKey(name) ? Optional.ofNullable(left.get(name)) : Optional.empty();
  }

  /** Returns the nodes that have been silent for so many nanoseconds or more. */
  public List<String> silentFor(long nanos, long now) {
    return silentSince.entrySet().stream()
        .filter(entry -> now - entry.getValue() >= nanos)
        .map(Map.Entry::getKey)
        .sorted(NodeNameOrder.ORDER)
        .toList();
  }

  /** Forgets a node; whether it is drained stays known for when it joins again. */
  public void forget(String name) {
    nodes.remove(name);
    samples.remove(name);
    silentSince.remove(name);
    left.remove(name);
  }

  /**
   * Stores a node's newest sample.
   *
   * @return whether less memory of a device is in use than before, so that tasks may fit
   */
  public boolean sampled(NodeSample sample) {
    Node node = nodes.get(sample.node());
    if (node == null) {
      return false;
    }
    NodeSample newest =
        samples.merge(node.name(), sample, (before, now) -> now.withLastProcesses(before));
    nodes.put(node.name(), node.withReadings(newest.byDevice()));
    return newest.devices().stream().anyMatch(now -> isFreer(node.readings().get(now.id()), now));
  }

  /**
   * Returns the newest sample of each node that has sent one since it joined, with the processes
   * that were listed last.
   */
  public Map<String, NodeSample> samples() {
    return samples;
  }

  private static boolean isFreer(DeviceSample before, DeviceSample now) {
    if (now.memUsed() == null) {
      return false;
    }
    return before == null
        || before.memUsed() == null
        || before.memUsed() - now.memUsed() >= WORTH_A_LOOK;
  }

  public Optional<Node> find(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  public List<Node> all() {
    return List.copyOf(nodes.values());
  }
}
