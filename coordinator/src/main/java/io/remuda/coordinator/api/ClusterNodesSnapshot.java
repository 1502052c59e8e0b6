package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The current state of the nodes.
 *
 * @param nodes total and free resources of each node
 * @param running number of slots in use, by node; this map and the next two are not copied, and no
 *     one changes them later
 * @param holders the attempts on each lent device
 * @param promised the resources promised to each attempt that holds devices
 * @param samples the newest sample of each node that has sent one
 * @param foreign tasks of another state file, by node
 * @param builds the versions of the agents of connected nodes, by node
 * @param machines the ids of the machines of connected nodes, by node
 * @param contacts how nodes are reached, by node
 */
public record ClusterNodesSnapshot(
    List<NodeOffer> nodes,
    Map<String, Integer> running,
    Map<DeviceId, List<AttemptId>> holders,
    Map<AttemptId, ResourceRequest> promised,
    Map<String, NodeSample> samples,
    Map<String, List<TaskReport>> foreign,
    Map<String, String> builds,
    Map<String, String> machines,
    Map<String, NodeConnectionInfo> contacts) {
  public ClusterNodesSnapshot {
    nodes = List.copyOf(nodes);
    running =
        Collections.unmodifiableMap(running); // a copy of thousands takes longer than the rest
    holders = Collections.unmodifiableMap(holders);
    promised = Collections.unmodifiableMap(promised);
    samples = Map.copyOf(samples);
    foreign = Map.copyOf(foreign);
    builds = Map.copyOf(builds);
    machines = Map.copyOf(machines);
    contacts = Map.copyOf(contacts);
  }

  /** Returns the tasks of another state file that run on a node. */
  public List<TaskReport> foreign(String node) {
    return foreign.getOrDefault(node, List.of());
  }
}
