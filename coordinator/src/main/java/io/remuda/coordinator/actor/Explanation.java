package io.remuda.coordinator.actor;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why a live job's tasks wait.
 *
 * @param state of the whole
 * @param counts of its tasks by state
 * @param needs of each task
 * @param reasons why its first waiting task waits, node by node; empty if none does or if its turn
 *     is just coming
 * @param unended why some of its tasks are unknown or do not end, by task
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
