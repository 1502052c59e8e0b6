package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.DeviceOffer;
import io.remuda.coordinator.schedule.FitCheck;
import io.remuda.coordinator.schedule.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What nodes have left, kept from one look to the next: only nodes of which something has changed
 * since are looked at anew, and their {@linkplain ConnectedNodes neighbours}, who are on the same
 * machine, see the same devices or have tasks that hold them. One thread.
 */
final class OfferCache {

  private static final long LATELY_NANOS = Duration.ofSeconds(30).toNanos();

  /** A device that somebody else had when it was asked for, who that is, and when to ask again. */
  record HeldDevice(long until, String by) {}

  /** Neighbours, by their places in the list. */
  private static final class Group {
    private final List<Integer> members;
    private boolean stale = true;

    /** Somebody else held a device of theirs, which is so for a time only. */
    private boolean avoids;

    Group(List<Integer> members) {
      this.members = members;
    }
  }

  private final TaskTable table;
  private final Map<DeviceId, HeldDevice> avoidUntil = new HashMap<>();

  /** Devices that others had a short time ago, perhaps still. */
  private final Map<DeviceId, HeldDevice> lately = new HashMap<>();

  private List<NodeRegistry.Node> nodes = List.of();
  private long[] versions = {};
  private final List<Set<Object>> ties = new ArrayList<>();
  private Group[] groups = {};
  private NodeOffer[] offers = {};

  /** A book without any node. */
  OfferCache(TaskTable table) {
    this.table = table;
  }

  /** Somebody else holds the devices, as the words say; they are not offered before that moment. */
  void avoid(Collection<DeviceId> devices, long until, String by) {
    for (DeviceId device : devices) {
      avoidUntil.put(device, new HeldDevice(until, by));
      lately.put(device, new HeldDevice(until + LATELY_NANOS, by));
    }
  }

  /** Whether somebody else had the device a short time ago. */
  boolean wasHeldLately(DeviceId device) {
    return lately.containsKey(device);
  }

  /** What these nodes have left, in the order of the list. */
  List<NodeOffer> of(List<NodeRegistry.Node> current, long now) {
    avoidUntil.values().removeIf(held -> held.until() - now <= 0);
    lately.values().removeIf(held -> held.until() - now <= 0);
    if (!hasSameNodes(current)) {
      start(current);
    }
    List<Integer> changed = takeIn(current);
    if (changed.stream().anyMatch(this::hasNewTie)) {
      divide();
    }
    changed.forEach(node -> groups[node].stale = true);
    for (int node = 0; node < groups.length; node++) {
      if (groups[node].stale || groups[node].avoids || avoids(nodes.get(node))) {
        look(groups[node], now);
      }
    }
    return List.of(offers);
  }

  /** What was found by the last look. */
  List<NodeOffer> last() {
    return List.of(offers);
  }

  /**
   * Bytes that tasks may use of the largest device that a task may have, as of the last look; 0 if
   * there is none.
   */
  long largestGpu(ResourceRequest needs) {
    return Stream.of(offers)
        .filter(node -> node.labels().entrySet().containsAll(needs.labels().entrySet()))
        .flatMap(node -> node.devices().stream())
        .filter(device -> device.isWanted(needs))
        .mapToLong(DeviceOffer::totalMemory)
        .max()
        .orElse(0);
  }

  /** Bytes of the node with the most memory on which a task could be, as of the last look. */
  long largestMemory(ResourceRequest needs) {
    return Stream.of(offers)
        .filter(node -> FitCheck.everRefused(List.of(node), needs, 1).isEmpty())
        .mapToLong(node -> node.memory().total())
        .max()
        .orElse(0);
  }

  /** Bytes that tasks may use of the smallest of these devices, as of the last look. */
  long smallest(Collection<DeviceId> devices) {
    return Stream.of(offers)
        .flatMap(node -> node.devices().stream())
        .filter(device -> devices.contains(device.id()))
        .mapToLong(DeviceOffer::totalMemory)
        .min()
        .orElse(0);
  }

  /** The models of these devices of a node, as of the last look. */
  String models(String node, Collection<DeviceId> devices) {
    return Stream.of(offers)
        .filter(offer -> offer.node().equals(node))
        .flatMap(offer -> offer.devices().stream())
        .filter(device -> devices.contains(device.id()))
        .map(DeviceOffer::model)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private boolean hasSameNodes(List<NodeRegistry.Node> current) {
    boolean same = current.size() == nodes.size();
    for (int i = 0; same && i < current.size(); i++) {
      same = current.get(i).name().equals(nodes.get(i).name());
    }
    return same;
  }

  private void start(List<NodeRegistry.Node> current) {
    nodes = current;
    versions = new long[current.size()];
    offers = new NodeOffer[current.size()];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = table.version(current.get(i).name());
    }
    divide();
  }

  private void divide() {
    ties.clear();
    nodes.forEach(node -> ties.add(tiesOf(node)));
    groups = new Group[nodes.size()];
    for (List<Integer> members : ConnectedNodes.among(ties)) {
      Group group = new Group(members);
      members.forEach(node -> groups[node] = group);
    }
  }

  /** Its machine and its devices, and what its tasks hold, which it may no longer see. */
  private Set<Object> tiesOf(NodeRegistry.Node node) {
    Set<Object> all = new HashSet<>(node.deviceIds());
    all.add(node.machine().id());
    table.at(node.name()).forEach(task -> all.addAll(task.place().devices()));
    return all;
  }

  private boolean hasNewTie(int node) {
    return !ties.get(node).containsAll(tiesOf(nodes.get(node)));
  }

  /** The nodes of which something is not as it was. */
  private List<Integer> takeIn(List<NodeRegistry.Node> current) {
    List<Integer> changed = new ArrayList<>();
    for (int i = 0; i < versions.length; i++) {
      long version = table.version(current.get(i).name());
      if (version != versions[i] || current.get(i) != nodes.get(i)) {
        versions[i] = version;
        changed.add(i);
      }
    }
    nodes = current;
    return changed;
  }

  private boolean avoids(NodeRegistry.Node node) {
    return !avoidUntil.isEmpty()
        && node.devices().stream().anyMatch(device -> avoidUntil.containsKey(device.id()));
  }

  private void look(Group group, long now) {
    List<NodeRegistry.Node> members = group.members.stream().map(nodes::get).toList();
    List<NodeOffer> found = OfferBuilder.of(members, table, avoidUntil, now);
    for (int i = 0; i < found.size(); i++) {
      offers[group.members.get(i)] = found.get(i);
    }
    group.avoids = members.stream().anyMatch(this::avoids);
    group.stale = false;
  }
}
