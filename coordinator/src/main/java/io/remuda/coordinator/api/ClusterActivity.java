package io.remuda.coordinator.api;

import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What happens on all nodes and in the queue at one moment.
 *
 * @param uses what running attempts have used so far, as far as their nodes have told
 * @param waits why jobs wait, of those that are looked at
 * @param placed attempts that have a place, as {@code JOB.TASK.ATTEMPT}
 */
public record ClusterActivity(
    ClusterNodesSnapshot nodes,
    Map<AttemptId, TaskUse> uses,
    QueueCounts queue,
    List<JobWait> waits,
    Set<String> placed) {
  public ClusterActivity {
    uses = Map.copyOf(uses);
    waits = List.copyOf(waits);
    placed = Set.copyOf(placed);
  }

  /**
   * A moment in which it is not known why jobs wait, and attempts have a place that have told their
   * use.
   */
  public ClusterActivity(
      ClusterNodesSnapshot nodes, Map<AttemptId, TaskUse> uses, QueueCounts queue) {
    this(
        nodes,
        uses,
        queue,
        List.of(),
        uses.keySet().stream().map(AttemptId::numbers).collect(Collectors.toSet()));
  }
}
