package io.remuda.coordinator.api;

import io.remuda.worker.job.JobId;
import java.util.List;

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
}
