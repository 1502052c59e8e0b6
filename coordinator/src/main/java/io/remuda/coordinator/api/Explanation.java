package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The reasons why a live job's tasks wait.
 *
 * @param state state of the job as a whole
 * @param counts number of tasks by state
 * @param needs resources of each task
 * @param reasons why its first waiting task waits, node by node; empty if no task waits or if it
 *     has not been tried yet
 * @param unended by task, why it is unknown or does not end; for a limited number of tasks
 */
public record Explanation(
    JobId job,
    TaskState state,
    Map<TaskState, Integer> counts,
    ResourceRequest needs,
    List<WaitReason> reasons,
    Map<TaskId, String> unended) {
  public Explanation {
    reasons = List.copyOf(reasons);
    unended = Collections.unmodifiableMap(new TreeMap<>(unended));
  }
}
