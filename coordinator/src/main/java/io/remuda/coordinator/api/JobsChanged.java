package io.remuda.coordinator.api;

import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a change of many jobs and tasks has done; it is durable.
 *
 * @param jobs how many whole jobs were changed
 * @param tasks how many single tasks were changed
 * @param over how many of both had ended before
 * @param gone jobs that are not live: ended before, or never there; not counted in {@code over}
 * @param refused how many were refused for another reason
 * @param refusals the first of these reasons
 */
public record JobsChanged(
    int jobs, int tasks, int over, List<JobId> gone, int refused, List<Rejection> refusals) {

  public JobsChanged {
    gone = List.copyOf(gone);
    refusals = List.copyOf(refusals);
  }

  /**
   * Returns both changes as one.
   *
   * @param found those of {@code gone} that are numbers of tasks, which the other change was about
   * @param other what was done to them
   */
  public JobsChanged with(Map<JobId, JobNumbers.Range> found, JobsChanged other) {
    List<JobId> none = gone.stream().filter(one -> !found.containsKey(one)).toList();
    Set<Long> ended = other.gone.stream().map(JobId::value).collect(Collectors.toSet());
    long endedTasks = found.values().stream().filter(task -> ended.contains(task.job())).count();
    List<Rejection> all = new ArrayList<>(refusals);
    all.addAll(other.refusals);
    return new JobsChanged(
        jobs + other.jobs,
        tasks + other.tasks,
        over + other.over + (int) endedTasks,
        none,
        refused + other.refused,
        all);
  }
}
