package io.remuda.coordinator.ensemble;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.schedule.model.NodeNameOrder;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The nodes of a run, by name, and what is known of each. Used only by the run's actor. */
final class RunNodes {

  private final Map<String, NodeRegistry.Node> nodes = new TreeMap<>(NodeNameOrder.ORDER);
  private final Set<String> silent = new HashSet<>();

  /** Of the silent nodes, those whose agents are not started again. */
  private final Set<String> givenUp = new HashSet<>();

  private final Set<String> namesTaken = new HashSet<>();
  private final Set<String> monitored = new TreeSet<>(NodeNameOrder.ORDER);

  /** Records that a node has joined; returns whether it was there before. */
  boolean joined(NodeRegistry.Node node) {
    silent.remove(node.name());
    givenUp.remove(node.name());
    return nodes.put(node.name(), node) != null;
  }

  void silent(String node) {
    silent.add(node);
  }

  void givenUp(String node) {
    givenUp.add(node);
  }

  /** Records that two agents have this name; returns whether that is new. */
  boolean nameTaken(String node) {
    return namesTaken.add(node);
  }

  /** Adds a node to those that send telemetry; returns whether it is new. */
  boolean monitor(String node) {
    return monitored.add(node);
  }

  /** Removes a node that has ended its telemetry; returns whether it had not before. */
  boolean ended(String node) {
    return monitored.remove(node);
  }

  /** Returns and removes the nodes that have not ended their telemetry. */
  List<String> takeMonitored() {
    List<String> late = List.copyOf(monitored);
    monitored.clear();
    return late;
  }

  /** Returns whether all nodes have ended their telemetry. */
  boolean allEnded() {
    return monitored.isEmpty();
  }

  Collection<NodeRegistry.Node> all() {
    return nodes.values();
  }

  List<String> names() {
    return List.copyOf(nodes.keySet());
  }

  /** Returns the number of nodes that have joined. */
  int count() {
    return nodes.size();
  }

  /** Returns the number of nodes that are connected. */
  int connected() {
    return nodes.size() - silent.size();
  }

  Set<String> silent() {
    return Set.copyOf(silent);
  }

  /** Returns whether no node is connected. */
  boolean allSilent() {
    return silent.containsAll(nodes.keySet());
  }

  /** Returns whether no silent node can come back. */
  boolean silentForGood() {
    return givenUp.containsAll(silent);
  }

  /** Returns whether a node other than this one is connected. */
  boolean othersRun(String except) {
    return nodes.keySet().stream().anyMatch(node -> !node.equals(except) && !silent.contains(node));
  }
}
