package io.remuda.coordinator.node;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What running attempts have used so far, as their nodes have told last. It is not stored. Used
 * only by the coordinator's actor.
 */
public final class RunningAttemptUsage {

  private final Map<JobId, Map<AttemptId, TaskUse>> byJob = new HashMap<>();
  private final Map<String, List<AttemptId>> byNode = new HashMap<>();

  /** Replaces what a node has told before. */
  public void reported(String node, List<TaskReport> reports) {
    gone(node);
    List<AttemptId> told = new ArrayList<>();
    for (TaskReport report : reports) {
      if (report.use() != null) {
        AttemptId attempt = report.attempt();
        byJob
            .computeIfAbsent(attempt.task().job(), job -> new HashMap<>())
            .put(attempt, report.use());
        told.add(attempt);
      }
    }
    if (!told.isEmpty()) {
      byNode.put(node, told);
    }
  }

  /** Forgets what a node has told. */
  void gone(String node) {
    List<AttemptId> told = byNode.remove(node);
    if (told == null) {
      return;
    }
    for (AttemptId attempt : told) {
      JobId job = attempt.task().job();
      Map<AttemptId, TaskUse> uses = byJob.getOrDefault(job, new HashMap<>());
      uses.remove(attempt);
      if (uses.isEmpty()) {
        byJob.remove(job);
      }
    }
  }

  /** Returns the uses of a job's running attempts, by the index of the task. */
  public Map<Integer, TaskUse> of(JobId job) {
    Map<Integer, TaskUse> uses = new HashMap<>();
    byJob
        .getOrDefault(job, Map.of())
        .forEach((attempt, use) -> uses.put(attempt.task().index(), use));
    return uses;
  }

  /** Returns the uses of all running attempts. */
  public Map<AttemptId, TaskUse> all() {
    Map<AttemptId, TaskUse> all = new HashMap<>();
    byJob.values().forEach(all::putAll);
    return all;
  }
}
