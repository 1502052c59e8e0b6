package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.schedule.NodeNames;
import io.remuda.coordinator.schedule.NodePause;
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

/** The nodes that have joined, in the natural order of their names. One thread. */
public final class NodeRegistry {

  /**
   * A node.
   *
   * @param machine that it is on, maybe with others
   * @param devicesFrom where its devices are known from, or why it has none
   * @param labels that it was started with, and {@code node}, its name
   * @param reachable whether it answers
   * @param draining whether it is to get no more tasks
   * @param readings the last of each device
   * @param foreign tasks of another state file that run there, with what is known of them
   * @param standstill what does not go on there; null if all does
   */
  public record Node(
      String name,
      HostInfo host,
      MachineFacts machine,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels,
      boolean reachable,
      boolean draining,
      Map<DeviceId, DeviceSample> readings,
      List<TaskReport> foreign,
      NodePause.Standstill standstill) {
    public Node {
      foreign = List.copyOf(foreign);
      devices = List.copyOf(devices);
      labels = Map.copyOf(labels);
      readings = Map.copyOf(readings);
    }

    /** One where no other tasks run than ours, and on which all goes on. */
    public Node(
        String name,
        HostInfo host,
        List<DeviceInfo> devices,
        String devicesFrom,
        Map<String, String> labels,
        boolean reachable,
        boolean draining,
        Map<DeviceId, DeviceSample> readings) {
      this(
          name,
          host,
          MachineFacts.of(host, ""),
          devices,
          devicesFrom,
          labels,
          reachable,
          draining,
          readings,
          List.of(),
          null);
    }

    /** Its devices' ids by index. */
    public List<DeviceId> deviceIds() {
      return devices.stream().map(DeviceInfo::id).toList();
    }

    /** Devices that are lost or do not answer, as of its last sample. */
    public Set<DeviceId> unhealthy() {
      Set<DeviceId> unhealthy = new HashSet<>();
      for (DeviceSample device : readings.values()) {
        if (device.health() == DeviceHealth.LOST || device.health() == DeviceHealth.STALE) {
          unhealthy.add(device.id());
        }
      }
      return unhealthy;
    }

    private Node with(boolean nowReachable) {
      return new Node(
          name,
          host,
          machine,
          devices,
          devicesFrom,
          labels,
          nowReachable,
          draining,
          readings,
          foreign,
          null);
    }

    private Node with(List<DeviceInfo> others) {
      return new Node(
          name,
          host,
          machine,
          others,
          devicesFrom,
          labels,
          reachable,
          draining,
          readings,
          foreign,
          standstill);
    }

    private Node with(Map<DeviceId, DeviceSample> newest) {
      return new Node(
          name,
          host,
          machine,
          devices,
          devicesFrom,
          labels,
          reachable,
          draining,
          newest,
          foreign,
          standstill);
    }

    private Node drained(boolean now) {
      return new Node(
          name,
          host,
          machine,
          devices,
          devicesFrom,
          labels,
          reachable,
          now,
          readings,
          foreign,
          standstill);
    }

    private Node beside(List<TaskReport> others) {
      return new Node(
          name,
          host,
          machine,
          devices,
          devicesFrom,
          labels,
          reachable,
          draining,
          readings,
          others,
          standstill);
    }

    private Node with(NodePause.Standstill now) {
      return new Node(
          name,
          host,
          machine,
          devices,
          devicesFrom,
          labels,
          reachable,
          draining,
          readings,
          foreign,
          now);
    }

    /** Whether it is to get tasks. */
    boolean takesTasks() {
      return reachable && !draining && standstill == null;
    }
  }

  /** In bytes: drivers' counts waver by less. */
  private static final long WORTH_A_LOOK = 16L << 20;

  private final Map<String, Node> nodes = new TreeMap<>(NodeNames.ORDER);
  private final Set<String> drained = new HashSet<>();

  /** Since when nodes are silent, in nanoseconds of one monotonic clock. */
  private final Map<String, Long> silentSince = new HashMap<>();

  public void joined(String name, HostInfo host, List<DeviceInfo> devices, String devicesFrom) {
    joined(name, host, MachineFacts.of(host, ""), devices, devicesFrom, Map.of());
  }

  /** A node has joined, for the first time or again. */
  public void joined(
      String name,
      HostInfo host,
      MachineFacts machine,
      List<DeviceInfo> devices,
      String devicesFrom,
      Map<String, String> labels) {
    silentSince.remove(name);
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
            true,
            drained.contains(name),
            Map.of(),
            List.of(),
            null));
  }

  /** The node's driver knows other devices than before. */
  public void devices(String name, List<DeviceInfo> devices) {
    nodes.computeIfPresent(name, (key, node) -> node.with(devices));
  }

  /**
   * Tasks of another state file run on the node.
   *
   * @return whether these are others than before
   */
  public boolean foreign(String name, List<TaskReport> tasks) {
    Node node = nodes.get(name);
    if (node == null || node.foreign().equals(tasks)) {
      return false;
    }
    nodes.put(name, node.beside(tasks));
    return true;
  }

  /**
   * Something on the node stands still, or, if {@code null}, nothing does any more.
   *
   * @return whether that is news
   */
  public boolean standsStill(String name, NodePause.Standstill now) {
    Node node = nodes.get(name);
    boolean before = node != null && node.standstill() != null;
    boolean news = node != null && before != (now != null);
    if (news) { // and its beginning is what was said first
      nodes.put(name, node.with(now));
    }
    return news;
  }

  /** The node gets no more tasks, whether it is there already or joins later. */
  public void drain(String name) {
    drained.add(name);
    nodes.computeIfPresent(name, (key, node) -> node.drained(true));
  }

  /** The node gets tasks again. */
  public void resume(String name) {
    drained.remove(name);
    nodes.computeIfPresent(name, (key, node) -> node.drained(false));
  }

  /** Whether a reachable node has a device that answers, lent or not. */
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
    nodes.computeIfPresent(name, (key, node) -> node.with(false));
    silentSince.putIfAbsent(name, now);
  }

  /** Returns the nodes that have been silent for so many nanoseconds or more. */
  public List<String> silentFor(long nanos, long now) {
    return silentSince.entrySet().stream()
        .filter(entry -> now - entry.getValue() >= nanos)
        .map(Map.Entry::getKey)
        .sorted(NodeNames.ORDER)
        .toList();
  }

  /** Forgets a node, also that it was drained. */
  public void forget(String name) {
    nodes.remove(name);
    drained.remove(name);
    silentSince.remove(name);
  }

  /**
   * Takes in what is known of a node's devices now.
   *
   * @return whether less memory of one of them is in use than before, so that there may be room
   */
  public boolean sampled(NodeSample sample) {
    Node node = nodes.get(sample.node());
    if (node == null) {
      return false;
    }
    Map<DeviceId, DeviceSample> newest = new HashMap<>();
    sample.devices().forEach(device -> newest.put(device.id(), device));
    nodes.put(node.name(), node.with(newest));
    return newest.values().stream().anyMatch(now -> isFreer(node.readings().get(now.id()), now));
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
