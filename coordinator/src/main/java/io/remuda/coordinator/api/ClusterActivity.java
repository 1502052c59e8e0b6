package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What happens on all nodes and in the queue at one moment.
 *
 * @param uses what running attempts have used so far, as far as their nodes have told
 * @param placed attempts that have a place, as {@code JOB.TASK.ATTEMPT}
 */
public record ClusterActivity(
    ClusterNodesSnapshot nodes,
    Map<AttemptId, TaskUse> uses,
    QueueCounts queue,
    Set<String> placed) {
  public ClusterActivity {
    uses = Map.copyOf(uses);
    placed = Set.copyOf(placed);
  }

  /** Creates one without attempts that have a place and have told nothing of their use. */
  public ClusterActivity(
      ClusterNodesSnapshot nodes, Map<AttemptId, TaskUse> uses, QueueCounts queue) {
    this(
        nodes,
        uses,
        queue,
        uses.keySet().stream().map(AttemptId::numbers).collect(Collectors.toSet()));
  }
}
