package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import java.util.Map;

/**
 * What happens on all nodes and in the queue at one moment.
 *
 * @param uses what running attempts have used so far, as far as their nodes have told
 */
public record ClusterActivity(
    ClusterNodesSnapshot nodes, Map<AttemptId, TaskUse> uses, QueueCounts queue) {
  public ClusterActivity {
    uses = Map.copyOf(uses);
  }
}
