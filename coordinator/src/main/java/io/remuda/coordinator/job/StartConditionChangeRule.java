package io.remuda.coordinator.job;

import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides changes of the time and of the jobs for which a job waits that has not begun. */
final class StartConditionChangeRule {

  private final TaskRegistry tasks;
  private final JobAdmission admission;

  StartConditionChangeRule(TaskRegistry tasks, JobAdmission admission) {
    this.tasks = tasks;
    this.admission = admission;
  }

  /**
   * Returns why a job cannot start so; empty if it can.
   *
   * @param job with the new terms
   */
  Optional<Rejection> refusal(JobSpec job, JobTermsChange change, ReferencedStoredJobs stored) {
    if (!tasks.live(job.id()).orElseThrow().isUntouched()) {
      return Optional.of(
          new Rejection(
              Rejection.Code.WRONG_STATE,
              "tasks of job "
                  + job.id()
                  + " have begun, are over, or were ready to, so its start stays as it is",
              "submit it again with another one: remuda resubmit " + job.id()));
    }
    return change.isOfDependencies()
        ? cycle(job).or(() -> admission.refusal(job, stored))
        : Optional.empty();
  }

  /** Returns the rejection of a job that would wait for itself. */
  private Optional<Rejection> cycle(JobSpec job) {
    for (JobDependency dependency : job.terms().after()) {
      if (dependency.job().equals(job.id())) {
        return refused(dependency, "a job cannot wait for its own end");
      }
      if (waitsFor(dependency.job(), job.id())) {
        return refused(dependency, "that job itself waits for job " + job.id());
      }
    }
    return Optional.empty();
  }

  private static Optional<Rejection> refused(JobDependency dependency, String why) {
    return Optional.of(Rejection.of(Rejection.Code.INVALID, "after " + dependency + ": " + why));
  }

  /** Returns whether a job waits for another, maybe by way of others. */
  private boolean waitsFor(JobId job, JobId other) {
    Set<JobId> seen = new HashSet<>(Set.of(job));
    Deque<JobId> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      Optional<LiveJob> live = tasks.live(next.poll());
      for (JobDependency open : live.map(LiveJob::open).orElse(Set.of())) {
        if (open.job().equals(other)) {
          return true;
        } else if (seen.add(open.job())) {
          next.add(open.job());
        }
      }
    }
    return false;
  }

  /** Changes when a job starts. */
  List<TaskChange> apply(
      JobSpec job, JobTermsChange change, ReferencedStoredJobs stored, long now) {
    Set<JobDependency> open =
        change.isOfDependencies()
            ? admission.open(job, stored)
            : new LinkedHashSet<>(tasks.live(job.id()).orElseThrow().open());
    return tasks.requests().startAnew(job, open, now);
  }
}
