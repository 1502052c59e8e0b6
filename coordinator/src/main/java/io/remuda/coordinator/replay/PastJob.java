package io.remuda.coordinator.replay;

import io.remuda.worker.job.JobSpec;
import java.util.List;
import java.util.Set;

/**
 * A job that had a place.
 *
 * @param spec what it asked for; without dependencies, retries and epochs, and without a time limit
 *     that one of its tasks exceeds
 * @param submittedMillis when it was submitted, or could begin, in milliseconds since 1970
 * @param training whether its tasks save what they have done, so that a preemption loses nothing
 * @param after numbers of the jobs that it started after
 * @param tasks those that had a place, and ended after the beginning of the time looked at
 */
record PastJob(
    JobSpec spec, long submittedMillis, boolean training, Set<Long> after, List<PastTask> tasks) {

  PastJob {
    after = Set.copyOf(after);
    tasks = List.copyOf(tasks);
  }

  long endedMillis() {
    return tasks.stream().mapToLong(PastTask::endedMillis).max().orElse(submittedMillis);
  }

  PastJob withTasks(List<PastTask> some) {
    return new PastJob(spec, submittedMillis, training, after, some);
  }
}
