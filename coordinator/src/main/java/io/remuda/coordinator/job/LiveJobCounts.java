package io.remuda.coordinator.job;

import io.remuda.coordinator.api.ClusterMetrics.RunningJob;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.task.PendingTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many live jobs and tasks there are.
 *
 * @param tasks that have not ended, by state
 * @param jobs by state
 * @param oldestWaitSeconds of the first task that waits in each job; null if none could be placed
 * @param running jobs with a task that runs or is being ended, up to a bound
 * @param left number of such jobs beyond it
 */
record LiveJobCounts(
    Map<TaskState, Integer> tasks,
    Map<TaskState, Integer> jobs,
    Double oldestWaitSeconds,
    List<RunningJob> running,
    int left) {

  private static final double NANOS = 1e9;

  /** States of tasks with processes, or that may have some. */
  private static final Set<TaskState> HAVE_BEGUN =
      EnumSet.of(TaskState.RUNNING, TaskState.UNKNOWN, TaskState.STOPPING, TaskState.ENDING);

  /**
   * Counts jobs.
   *
   * @param most running jobs that are named
   * @param now monotonic time in nanoseconds
   */
  static LiveJobCounts of(Collection<? extends LiveJob> live, int most, long now) {
    Map<TaskState, Integer> tasks = new EnumMap<>(TaskState.class);
    Map<TaskState, Integer> jobs = new EnumMap<>(TaskState.class);
    for (TaskState state : TaskState.values()) {
      if (!state.isFinal()) {
        jobs.put(state, 0);
        tasks.put(state, 0);
      }
    }
    List<RunningJob> running = new ArrayList<>();
    int left = 0;
    long oldest = -1;
    for (LiveJob job : live) {
      tasks.replaceAll((state, count) -> count + job.count(state));
      jobs.merge(job.state(), 1, Integer::sum);
      oldest = Math.max(oldest, waitNanos(job, now));
      boolean runs = HAVE_BEGUN.stream().anyMatch(state -> job.count(state) > 0);
      if (runs && running.size() < most) {
        running.add(new RunningJob(job.spec().id().value(), job.spec().user(), job.spec().name()));
      } else if (runs) {
        left++;
      }
    }
    return new LiveJobCounts(
        tasks, jobs, oldest < 0 ? null : Double.valueOf(oldest / NANOS), running, left);
  }

  /** Returns how long the first task of a job has waited for a place; -1 if it does not. */
  private static long waitNanos(LiveJob job, long now) {
    return job.count(TaskState.WAITING) > 0
            && job.firstBefore() instanceof PendingTask first
            && first.state() == TaskState.WAITING
        ? now - first.notBefore()
        : -1;
  }
}
