package io.remuda.coordinator.job;

import io.remuda.coordinator.api.CoordinatorCommand.ChangeJob;
import io.remuda.coordinator.api.CoordinatorCommand.ChangeJobs;
import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
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

  private final JobControl control;
  private final TaskRegistry registry;
  private final ChangeJobs command;
  private final List<TaskChange> changes = new ArrayList<>();
  private final Set<JobId> jobs = new HashSet<>();
  private final Set<TaskId> tasks = new HashSet<>();
  private final Set<JobId> gone = new HashSet<>();
  private final List<Rejection> told = new ArrayList<>();
  private int over;
  private int refused;

  JobBatchChange(JobControl control, TaskRegistry registry, ChangeJobs command) {
    this.control = control;
    this.registry = registry;
    this.command = command;
  }

  /**
   * Changes one of them; one that is named twice is changed once.
   *
   * @param task number of the task, or null for the whole job
   */
  void change(JobId job, Integer task, long now) {
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
    if (task == null) {
      jobs.add(job);
    } else {
      tasks.add(new TaskId(job, task));
    }
  }

  private void refused(JobId job, Integer task, Rejection no) {
    if (no.code() == Rejection.Code.NOT_FOUND && registry.job(job).isEmpty()) {
      gone.add(job);
    } else if (no.code() == Rejection.Code.WRONG_STATE && isOver(job, task)) {
      over++;
    } else {
      refused++;
      if (told.size() < MOST_TOLD) {
        told.add(no);
      }
    }
  }

  private boolean isOver(JobId job, Integer task) {
    return registry.stateOf(job).filter(TaskState::isFinal).isPresent()
        || (task != null
            && registry
                .find(new TaskId(job, task))
                .filter(found -> found.state().isFinal())
                .isPresent());
  }

  private boolean means(JobId job, Integer task) {
    return jobs.contains(job) || (task != null && tasks.contains(new TaskId(job, task)));
  }

  /** Returns whether a task is changed, alone or with its job. */
  boolean means(TaskId task) {
    return means(task.job(), task.index());
  }

  List<TaskChange> changes() {
    return changes;
  }

  JobsChanged outcome() {
    return new JobsChanged(
        jobs.size(), tasks.size(), over, gone.stream().sorted().toList(), refused, told);
  }
}
