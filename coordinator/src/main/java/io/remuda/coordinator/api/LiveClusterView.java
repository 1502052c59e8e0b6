package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.List;
import java.util.Map;

/**
 * What those see who look on, at one moment.
 *
 * @param tasks that have not ended, by state
 * @param jobs that have not ended, by state
 * @param oldestWaitSeconds since when a task that could be placed has had no place; null if none
 *     waits
 * @param nextStartMillis until the first waiting task is expected to start, or null if that is not
 *     known
 * @param running jobs with a task that runs or is being ended, up to a bound
 * @param left number of such jobs beyond it
 */
public record LiveClusterView(
    ClusterActivity activity,
    Map<TaskState, Integer> tasks,
    Map<TaskState, Integer> jobs,
    Double oldestWaitSeconds,
    Long nextStartMillis,
    List<ClusterMetrics.RunningJob> running,
    int left) {
  public LiveClusterView {
    tasks = Map.copyOf(tasks);
    jobs = Map.copyOf(jobs);
    running = List.copyOf(running);
  }
}
