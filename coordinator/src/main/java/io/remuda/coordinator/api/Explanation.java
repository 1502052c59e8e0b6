package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.forecast.JobForecast;
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
 * @param unended by task, why it is unknown, or does not end, or does not start for long; for a
 *     limited number of tasks
 * @param holders jobs that hold what is missing; a limited number of them
 * @param forecast whose turn it is and when it may start; null if it does not wait for a place, or
 *     is too far behind
 */
public record Explanation(
    JobId job,
    TaskState state,
    Map<TaskState, Integer> counts,
    ResourceRequest needs,
    List<WaitReason> reasons,
    Map<TaskId, String> unended,
    List<Holder> holders,
    JobForecast forecast) {

  /**
   * A job that has tasks on a node where the waiting task might start.
   *
   * @param milliCpus thousandths of a core that its tasks hold there
   * @param memory in bytes
   * @param leftMillis until the last of its time limits there, null if one has none
   */
  public record Holder(
      String node,
      JobId job,
      String name,
      String user,
      int tasks,
      long milliCpus,
      long memory,
      int gpus,
      Long leftMillis) {}

  public Explanation {
    holders = List.copyOf(holders);
    reasons = List.copyOf(reasons);
    unended = Collections.unmodifiableMap(new TreeMap<>(unended));
  }
}
