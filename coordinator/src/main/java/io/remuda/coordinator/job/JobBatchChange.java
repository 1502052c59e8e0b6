package io.remuda.coordinator.job;

import io.remuda.coordinator.api.CoordinatorCommand.ChangeJob;
import io.remuda.coordinator.api.CoordinatorCommand.ChangeJobs;
import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The changes of many jobs and tasks that become one commit, and what was refused of them. */
final class JobBatchChange {

  /** Number of reasons that are told; the others are counted. */
  private static final int MOST_TOLD = 10;

  /** About so many tasks of whole jobs change in the step itself; others are served between. */
  private static final int MOST_AT_ONCE = 10_000;

  private final JobControl control;
  private final TaskRegistry registry;
  private final ChangeJobs command;
  private final List<TaskChange> changes = new ArrayList<>();
  private final Set<JobId> jobs = new HashSet<>();
  private final Set<TaskId> tasks = new HashSet<>();

  /** Those that had not ended before the first was changed: the end of one may end others. */
  private final Set<JobId> liveJobs = new HashSet<>();

  private final Set<TaskId> liveTasks = new HashSet<>();
  private final Set<JobId> gone = new HashSet<>();
  private final List<Rejection> told = new ArrayList<>();
  private int over;
  private int refused;

  JobBatchChange(JobControl control, TaskRegistry registry, ChangeJobs command) {
    this.control = control;
    this.registry = registry;
    this.command = command;
    command.jobs().forEach(this::noteIfLive);
  }

  private void noteIfLive(JobId job, Integer task) {
    if (stateOf(job, task).filter(state -> !state.isFinal()).isPresent()) {
      if (task == null) {
        liveJobs.add(job);
      } else {
        liveTasks.add(new TaskId(job, task));
      }
    }
  }

  /** Changes all of them. */
  void all(long now) {
    registry
        .requests()
        .bounded(MOST_AT_ONCE, () -> command.jobs().forEach((job, task) -> change(job, task, now)));
  }

  /**
   * Changes one of them; one that is named twice is changed once.
   *
   * @param task number of the task, or null for the whole job
   */
  private void change(JobId job, Integer task, long now) {
    if (means(job, task)) {
      return;
    }
    ChangeJob one =
        new ChangeJob(job, task, command.action(), command.reason(), command.caller(), null);
    Optional<Rejection> no = control.refusalOf(one);
    if (no.isPresent()) {
      refused(job, task, no.get());
      return;
    }
    List<TaskChange> its = control.changesOf(one, now);
    if (its.isEmpty() && JobControl.isRequeue(command.action())) {
      refused(job, task, control.nothingRuns(one));
      return;
    }
    changes.addAll(its);
    changed(job, task);
  }

  private void changed(JobId job, Integer task) {
    if (task == null) {
      jobs.add(job);
    } else {
      tasks.add(new TaskId(job, task));
    }
  }

  private void refused(JobId job, Integer task, Rejection no) {
    if (no.code() == Rejection.Code.NOT_FOUND && registry.job(job).isEmpty()) {
      gone.add(job);
    } else if (no.code() == Rejection.Code.WRONG_STATE && wasCancelledWithAnother(job, task)) {
      changed(job, task);
    } else if (no.code() == Rejection.Code.WRONG_STATE && isOver(job, task)) {
      over++;
    } else {
      refused++;
      if (told.size() < MOST_TOLD) {
        told.add(no);
      }
    }
  }

  private boolean wasCancelledWithAnother(JobId job, Integer task) {
    boolean wasLive =
        task == null ? liveJobs.contains(job) : liveTasks.contains(new TaskId(job, task));
    return wasLive && stateOf(job, task).filter(TaskState.CANCELLED::equals).isPresent();
  }

  private boolean isOver(JobId job, Integer task) {
    return stateOf(job, null).filter(TaskState::isFinal).isPresent()
        || stateOf(job, task).filter(TaskState::isFinal).isPresent();
  }

  /** Returns the state of a job or of a task; empty if it is not there. */
  private Optional<TaskState> stateOf(JobId job, Integer task) {
    return task == null
        ? registry.stateOf(job)
        : registry.find(new TaskId(job, task)).map(TaskRecord::state);
  }

  private boolean means(JobId job, Integer task) {
    return jobs.contains(job) || (task != null && tasks.contains(new TaskId(job, task)));
  }

  /** Returns whether a task is changed, alone or with its job. */
  boolean means(TaskId task) {
    return means(task.job(), task.index());
  }

  /** Returns the whole jobs that are changed. */
  Set<JobId> jobs() {
    return jobs;
  }

  List<TaskChange> changes() {
    return changes;
  }

  JobsChanged outcome() {
    return new JobsChanged(
        jobs.size(), tasks.size(), over, gone.stream().sorted().toList(), refused, told);
  }
}
