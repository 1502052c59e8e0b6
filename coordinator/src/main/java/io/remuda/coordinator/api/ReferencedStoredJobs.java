package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import java.util.Map;
import java.util.Set;

/**
 * What the store says of the jobs to which a submission refers. The coordinator itself knows only
 * live and recent ones.
 *
 * @param byKey jobs of the submission's user by idempotency key
 * @param states of the jobs after which others are to run
 * @param removed those of them that are over and were removed
 */
public record ReferencedStoredJobs(
    Map<String, JobId> byKey, Map<JobId, TaskState> states, Set<JobId> removed) {

  /** For submissions that refer to no job. */
  public static final ReferencedStoredJobs NONE =
      new ReferencedStoredJobs(Map.of(), Map.of(), Set.of());

  public ReferencedStoredJobs {
    byKey = Map.copyOf(byKey);
    states = Map.copyOf(states);
    removed = Set.copyOf(removed);
  }
}
