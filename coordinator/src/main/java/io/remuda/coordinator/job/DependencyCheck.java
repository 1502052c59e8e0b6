package io.remuda.coordinator.job;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.ReferencedStoredJobs;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.telemetry.render.ShortList;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Says which dependencies of a job are open, met, or can never be met. */
final class DependencyCheck {

  /** Ended jobs that a message names. */
  private static final int MOST_NAMED = 10;

  private final TaskRegistry tasks;
  private final EndedJobEviction endedJobs;

  DependencyCheck(TaskRegistry tasks, EndedJobEviction endedJobs) {
    this.tasks = tasks;
    this.endedJobs = endedJobs;
  }

  /** Returns whether a job is there and not over. */
  boolean isLive(JobId job) {
    return tasks.stateOf(job).filter(state -> !state.isFinal()).isPresent();
  }

  /**
   * Returns the dependencies for which a job waits, modifiable.
   *
   * @param terms of a job that {@link #neverStarts} has let pass
   */
  Set<JobDependency> open(JobTerms terms, ReferencedStoredJobs stored) {
    Set<JobDependency> open = new LinkedHashSet<>(terms.after());
    if (terms.afterOne() && open.stream().anyMatch(one -> isMet(one, stored))) {
      open.clear();
    }
    open.removeIf(dependency -> !isLive(dependency.job()));
    return open;
  }

  /** Returns the rejection of a job whose dependencies can never be met; empty if they can. */
  Optional<Rejection> neverStarts(NewJob job, ReferencedStoredJobs stored) {
    if (job.terms().afterOne()) {
      return noneCanBeMet(job, stored)
          .map(
              fault ->
                  Rejection.of(
                      Rejection.Code.INVALID,
                      "after one of " + DependencyRule.named(job.terms().after()) + ": " + fault));
    }
    for (JobDependency dependency : job.terms().after()) {
      Optional<String> fault = fault(dependency, job, stored);
      if (fault.isPresent()) {
        return Optional.of(
            Rejection.of(Rejection.Code.INVALID, "after " + dependency + ": " + fault.get()));
      }
    }
    return Optional.empty();
  }

  /** Returns the end of a job that is over; empty if it is not, or nobody knows. */
  private Optional<TaskState> end(JobId job, ReferencedStoredJobs stored) {
    Optional<TaskState> known = tasks.stateOf(job);
    return known.isPresent()
        ? known.filter(TaskState::isFinal)
        : endedJobs.stateOf(job).or(() -> Optional.ofNullable(stored.states().get(job)));
  }

  private boolean isMet(JobDependency dependency, ReferencedStoredJobs stored) {
    return end(dependency.job(), stored)
        .filter(end -> DependencyRule.isMet(dependency, end))
        .isPresent();
  }

  /** Returns why none of the dependencies, of which one is enough, can be met. */
  private Optional<String> noneCanBeMet(NewJob job, ReferencedStoredJobs stored) {
    List<String> ends = new ArrayList<>();
    boolean hope = job.terms().after().isEmpty() || !job.siblings().isEmpty();
    for (JobDependency dependency : job.terms().after()) {
      JobId other = dependency.job();
      Optional<TaskState> end = end(other, stored);
      if (isLive(other) || isMet(dependency, stored)) {
        hope = true;
      } else if (end.isPresent()) {
        ends.add("job " + other + " " + ended(end.get()));
      } else if (stored.removed().contains(other)) {
        ends.add("job " + other + " is over and was removed");
      } else {
        return Optional.of("there is no job " + other);
      }
    }
    return hope
        ? Optional.empty()
        : Optional.of(ShortList.of(ends, MOST_NAMED) + ", so this would never start");
  }

  /** Returns how a job has ended, as {@code failed} or {@code was cancelled}. */
  private static String ended(TaskState end) {
    boolean undergone = end == TaskState.CANCELLED || end == TaskState.LOST;
    return (undergone ? "was " : "") + end.label();
  }

  private Optional<String> fault(
      JobDependency dependency, NewJob job, ReferencedStoredJobs stored) {
    JobId other = dependency.job();
    if (isLive(other)) {
      JobSpec spec = tasks.job(other).orElseThrow();
      return dependency.isTaskByTask()
          ? differs(job, spec.tasks().size(), spec.terms())
          : Optional.empty();
    }
    Optional<TaskState> end = end(other, stored);
    if (end.isEmpty()) {
      return Optional.of(
          stored.removed().contains(other)
              ? "it is over and was removed, so nobody knows how it ended"
              : "there is no such job");
    }
    if (dependency.isTaskByTask() && end.get() != TaskState.SUCCEEDED) {
      return Optional.of(
          "it " + ended(end.get()) + ", so some of the tasks would never start: use :any or :fail");
    }
    return end.get().isFinal() && !DependencyRule.isMet(dependency, end.get())
        ? Optional.of("it " + ended(end.get()) + ", so this would never start")
        : Optional.empty();
  }

  /** Returns the rejection of a job that follows another of the submission task by task. */
  static Optional<Rejection> differs(NewJob job, List<NewJob> all) {
    return job.siblings().stream()
        .filter(one -> one.when() == JobDependency.When.EACH)
        .flatMap(
            one ->
                differs(
                        job,
                        all.get(one.position()).tasks().size(),
                        all.get(one.position()).terms())
                    .stream()
                    .map(fault -> "after '" + all.get(one.position()).name() + "': " + fault))
        .findFirst()
        .map(fault -> Rejection.of(Rejection.Code.INVALID, fault));
  }

  private static Optional<String> differs(NewJob job, int others, JobTerms terms) {
    int count = job.tasks().size();
    if (count != others) {
      return Optional.of(
          "task by task requires as many tasks as it has, " + others + ", got " + count);
    }
    boolean isSame = Objects.equals(job.terms().array().sweep(), terms.array().sweep());
    for (int task = 0; task < count && !isSame; task++) {
      Integer own = job.terms().array().givenIndex(task);
      Integer other = terms.array().givenIndex(task);
      if (own != null && other != null && !own.equals(other)) {
        return Optional.of(
            "task by task requires the same indices as its own, got "
                + own
                + " where it has "
                + other
                + ": give both the same --array");
      }
    }
    return Optional.empty();
  }
}
