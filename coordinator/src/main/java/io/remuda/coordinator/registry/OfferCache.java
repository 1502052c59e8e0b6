package io.remuda.coordinator.registry;

import io.remuda.coordinator.registry.policy.GpuFailures;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.schedule.FitCheck;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cache of the nodes' offers. Only the offers of changed nodes are computed again, with those of
 * {@linkplain SharedResourceNodeGroups connected nodes}, which are on the same machine, see the
 * same devices, or have tasks that hold them. Single-threaded.
 */
final class OfferCache {

  private static final long LATELY_NANOS = Duration.ofSeconds(30).toNanos();

  /** A device held by another process: when to try it again, and the holder, for people. */
  record HeldDevice(long until, String by) {}

  /** Connected nodes, by their indexes in the list. */
  private static final class Group {
    private final List<Integer> members;
    private boolean stale = true;

    /** Whether a device of these nodes is avoided for a time because another process held it. */
    private boolean avoids;

    Group(List<Integer> members) {
      this.members = members;
    }
  }

  private final TaskTable table;
  private final GpuFailures failures;
  private final Map<DeviceId, HeldDevice> avoidUntil = new HashMap<>();

  /** Devices that another process held recently, and may still hold. */
  private final Map<DeviceId, HeldDevice> lately = new HashMap<>();

  private List<NodeRegistry.Node> nodes = List.of();
  private long[] versions = {};
  private final List<Set<Object>> ties = new ArrayList<>();
  private Group[] groups = {};
  private NodeOffer[] offers = {};

  OfferCache(TaskTable table) {
    this(table, RetryPolicy.GpuRests.USUAL);
  }

  OfferCache(TaskTable table, RetryPolicy.GpuRests rests) {
    this.table = table;
    this.failures = new GpuFailures(rests);
  }

  /** Returns what has failed on which devices. */
  GpuFailures failures() {
    return failures;
  }

  /** Avoids devices that another process holds until a given time; {@code by} is for people. */
  void avoid(Collection<DeviceId> devices, long until, String by) {
    for (DeviceId device : devices) {
      avoidUntil.put(device, new HeldDevice(until, by));
      lately.put(device, new HeldDevice(until + LATELY_NANOS, by));
    }
  }

  /** Returns whether another process held the device recently. */
  boolean wasHeldLately(DeviceId device) {
    return lately.containsKey(device);
  }

  /** Returns the offers of these nodes, in the order of the list. */
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

  /**
   * Returns the offers of the last call of {@link #of} as they would be without some tasks.
   *
   * @param slots whose tasks count as gone
   * @param among nodes with such slots
   */
  List<NodeOffer> without(Set<Long> slots, Set<String> among, long now) {
    return without(slots, among, last(), now);
  }

  /**
   * Does the same, where only some nodes are to be computed.
   *
   * @param slots whose tasks count as gone
   * @param among nodes of which more slots count as gone than before
   * @param before the offers without those before
   */
  List<NodeOffer> without(Set<Long> slots, Set<String> among, List<NodeOffer> before, long now) {
    NodeOffer[] all = before.toArray(NodeOffer[]::new);
    Set<Group> changed = new LinkedHashSet<>();
    for (int node = 0; node < groups.length; node++) {
      if (among.contains(nodes.get(node).name())) {
        changed.add(groups[node]);
      }
    }
    for (Group group : changed) {
      List<NodeRegistry.Node> members = group.members.stream().map(nodes::get).toList();
      List<NodeOffer> found = OfferBuilder.of(members, table, avoidUntil, slots, now);
      for (int i = 0; i < found.size(); i++) {
        all[group.members.get(i)] = found.get(i);
      }
    }
    return List.of(all);
  }

  /** Returns the offers from the last call of {@link #of}. */
  List<NodeOffer> last() {
    return List.of(offers);
  }

  /** Returns the usable bytes of the largest device that suits {@code needs}, 0 if none does. */
  long largestGpu(ResourceRequest needs) {
    return Stream.of(offers)
        .filter(node -> node.labels().entrySet().containsAll(needs.labels().entrySet()))
        .flatMap(node -> node.devices().stream())
        .filter(device -> device.isWanted(needs))
        .mapToLong(DeviceOffer::totalMemory)
        .max()
        .orElse(0);
  }

  /** Returns the largest memory in bytes of the nodes that suit {@code needs}, 0 if none does. */
  long largestMemory(ResourceRequest needs) {
    return Stream.of(offers)
        .filter(node -> FitCheck.everRefused(List.of(node), needs).isEmpty())
        .mapToLong(node -> node.memory().total())
        .max()
        .orElse(0);
  }

  /** Returns the usable bytes of the smallest of these devices, 0 if none is known. */
  long smallest(Collection<DeviceId> devices) {
    return Stream.of(offers)
        .flatMap(node -> node.devices().stream())
        .filter(device -> devices.contains(device.id()))
        .mapToLong(DeviceOffer::totalMemory)
        .min()
        .orElse(0);
  }

  /** Returns the models of these devices of a node, separated by commas. */
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
    for (List<Integer> members : SharedResourceNodeGroups.among(ties)) {
      Group group = new Group(members);
      members.forEach(node -> groups[node] = group);
    }
  }

  /** Returns its machine, its devices, and its tasks' devices, which it may no longer see. */
  private Set<Object> tiesOf(NodeRegistry.Node node) {
    Set<Object> all = new HashSet<>(node.deviceIds());
    all.add(node.machine().id());
    table.at(node.name()).forEach(task -> all.addAll(task.place().devices()));
    return all;
  }

  private boolean hasNewTie(int node) {
    return !ties.get(node).containsAll(tiesOf(nodes.get(node)));
  }

  /** Stores the nodes and returns the indexes of those that have changed. */
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
    List<NodeOffer> found = OfferBuilder.of(members, table, avoidUntil, Set.of(), now);
    for (int i = 0; i < found.size(); i++) {
      offers[group.members.get(i)] = found.get(i);
    }
    group.avoids = members.stream().anyMatch(this::avoids);
    group.stale = false;
  }
}
