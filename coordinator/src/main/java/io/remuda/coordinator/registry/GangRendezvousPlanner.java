package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.coordinator.registry.task.IndexedJobProperty;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Decides how the members of a gang find each other: the addresses of their nodes, and ports that
 * no other gang has there. The agent of a node checks the ports before it starts a member.
 * Single-threaded.
 */
final class GangRendezvousPlanner {

  private final TaskTable table;

  /** By machine, the number of the port after the last that was given, counted from the first. */
  private final Map<String, Integer> next = new HashMap<>();

  GangRendezvousPlanner(TaskTable table) {
    this.table = table;
  }

  /** Tells the gangs among these placed tasks how their members find each other. */
  void begin(List<Plan.Placement> placed, List<NodeRegistry.Node> nodes) {
    Map<JobId, List<PlacedTask>> gangs = new TreeMap<>();
    for (Plan.Placement placement : placed) {
      if (table.of(IndexedJobProperty.GANG).contains(placement.task().job())) {
        gangs
            .computeIfAbsent(placement.task().job(), job -> new ArrayList<>())
            .add((PlacedTask) table.find(placement.task()));
      }
    }
    if (!gangs.isEmpty()) {
      Map<String, NodeRegistry.Node> byName = new HashMap<>();
      nodes.forEach(node -> byName.put(node.name(), node));
      gangs.forEach(
          (gang, members) -> begin(gang, members, name -> Optional.ofNullable(byName.get(name))));
    }
  }

  /**
   * Makes the next start of a gang.
   *
   * @param placed its members that have just been placed: all that have not failed. The others keep
   *     what they had
   */
  private void begin(
      JobId id, List<PlacedTask> placed, Function<String, Optional<NodeRegistry.Node>> nodes) {
    JobEntry job = table.job(id);
    GangStart before = job.gangStart();
    Map<String, Set<Integer>> used = usedPorts(nodes);
    Map<String, String> addresses = addresses(placed, nodes);
    Map<Integer, GangStart.Member> members = new TreeMap<>();
    for (int rank = 0; rank < before.members().size(); rank++) {
      members.put(rank, before.members().get(rank));
    }
    int master = before.masterPort();
    for (PlacedTask member : placed) {
      String node = member.place().node();
      int port = port(node, nodes, used);
      members.put(
          member.id().index(),
          new GangStart.Member(node, addresses.get(node), port, member.place().devices()));
      if (member.id().index() == 0) {
        master = port(node, nodes, used);
      }
    }
    job.gangStart(
        new GangStart(
            before.number() + 1, before.failures(), master, List.copyOf(members.values())));
  }

  /**
   * Returns the address of each node. A node that reaches the server by loopback gets the address
   * at which the other nodes reach the server, which is on the same machine.
   */
  private static Map<String, String> addresses(
      List<PlacedTask> members, Function<String, Optional<NodeRegistry.Node>> nodes) {
    Map<String, String> addresses = new HashMap<>();
    String server = null;
    for (PlacedTask member : members) {
      NodeRegistry.Node node = nodes.apply(member.place().node()).orElse(null);
      NodeAddressAndPorts network = node == null ? NodeAddressAndPorts.LOOPBACK : node.network();
      addresses.put(member.place().node(), network.address());
      if (node != null && !network.isLoopback()) {
        server = node.reachedAt();
      }
    }
    if (server != null) {
      for (Map.Entry<String, String> address : addresses.entrySet()) {
        if (NodeAddressAndPorts.LOOPBACK.at(address.getValue()).isLoopback()) {
          address.setValue(server);
        }
      }
    }
    return addresses;
  }

  /** Returns the ports of the gangs that are not over, by machine. */
  private Map<String, Set<Integer>> usedPorts(Function<String, Optional<NodeRegistry.Node>> nodes) {
    Map<String, Set<Integer>> used = new HashMap<>();
    for (JobId gang : table.of(IndexedJobProperty.GANG)) {
      GangStart start = table.job(gang).gangStart();
      for (GangStart.Member member : start.members()) {
        ports(member.node(), nodes, used).add(member.port());
      }
      if (!start.members().isEmpty()) {
        ports(start.members().get(0).node(), nodes, used).add(start.masterPort());
      }
    }
    return used;
  }

  private static Set<Integer> ports(
      String node,
      Function<String, Optional<NodeRegistry.Node>> nodes,
      Map<String, Set<Integer>> used) {
    return used.computeIfAbsent(machine(node, nodes), machine -> new HashSet<>());
  }

  private static String machine(String node, Function<String, Optional<NodeRegistry.Node>> nodes) {
    return nodes.apply(node).map(found -> found.machine().id()).orElse(node);
  }

  private int port(
      String node,
      Function<String, Optional<NodeRegistry.Node>> nodes,
      Map<String, Set<Integer>> used) {
    NodeAddressAndPorts network =
        nodes.apply(node).map(NodeRegistry.Node::network).orElse(NodeAddressAndPorts.LOOPBACK);
    Set<Integer> taken = ports(node, nodes, used);
    String machine = machine(node, nodes);
    int offset = next.getOrDefault(machine, Math.floorMod(machine.hashCode(), network.ports()));
    for (int tried = 0; tried < network.ports(); tried++) {
      int port = network.firstPort() + Math.floorMod(offset + tried, network.ports());
      if (taken.add(port)) {
        next.put(machine, offset + tried + 1);
        return port;
      }
    }
    return network.firstPort() + Math.floorMod(offset, network.ports()); // its agent refuses it
  }
}
