package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Map;

/**
 * What happens on all nodes and in the queue at one moment.
 *
 * @param uses what running attempts have used so far, as far as their nodes have told
 * @param waits why jobs wait, of those that are looked at
 */
public record ClusterActivity(
    ClusterNodesSnapshot nodes,
    Map<AttemptId, TaskUse> uses,
    QueueCounts queue,
    List<JobWait> waits) {
  public ClusterActivity {
    uses = Map.copyOf(uses);
    waits = List.copyOf(waits);
  }

  /** A moment in which it is not known why jobs wait. */
  public ClusterActivity(
      ClusterNodesSnapshot nodes, Map<AttemptId, TaskUse> uses, QueueCounts queue) {
    this(nodes, uses, queue, List.of());
  }
}
