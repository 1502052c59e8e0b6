package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What keeps the tasks of submitted jobs besides the ends of other jobs: a time, and, task by task,
 * the task of the same index of another job. While a job with such a dependency is submitted, its
 * tasks become ready one by one; when the other job is over, the rest do. What is ready is not
 * stored: it follows from the other job's tasks. Single-threaded.
 */
final class StartGates {

  private final TaskTable table;
  private final TaskTransitions transitions;

  /** Jobs whose time to begin has not come. */
  private final Set<JobId> early = new HashSet<>();

  /** Restored jobs whose tasks start task by task. */
  private final Set<JobId> restored = new LinkedHashSet<>();

  StartGates(TaskTable table, TaskTransitions transitions) {
    this.table = table;
    this.transitions = transitions;
  }

  /** Keeps a new or restored job from starting before its time, if it has one. */
  void await(JobSpec job) {
    if (job.terms().beginMillis() > 0) {
      early.add(job.id());
    }
  }

  boolean isEarly(JobId job) {
    return early.contains(job);
  }

  /** Keeps a job no longer from starting before its time; returns whether that kept it. */
  boolean pass(JobId job) {
    return early.remove(job);
  }

  void restored(JobEntry job) {
    if (gates(job)) {
      restored.add(job.spec().id());
    }
  }

  /** Lets the tasks of restored jobs start whose predecessors had succeeded. */
  List<TaskChange> followRestored(long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id : restored) {
      JobEntry job = table.job(id);
      if (job != null && !job.isOver()) {
        changes.addAll(follow(job, now));
      }
    }
    restored.clear();
    return changes;
  }

  /** Returns why the tasks of a job do not wait for a place yet. */
  List<WaitReason> why(JobEntry job) {
    List<WaitReason> why = new ArrayList<>();
    if (job.spec().terms().afterOne() && job.open().size() > 1) {
      why.add(WaitReason.AfterOneOf.of(job.open()));
    } else {
      job.open().forEach(dependency -> why.add(new WaitReason.AfterJob(dependency)));
    }
    if (isEarly(job.spec().id())) {
      why.add(new WaitReason.BeginsLater(job.spec().terms().beginMillis()));
    }
    return why;
  }

  /** Returns whether waiting tasks of a job may be placed: of some jobs one by one before all. */
  static boolean isOpen(JobEntry job) {
    return job.base() == TaskState.WAITING || job.base() == TaskState.SUBMITTED && gates(job);
  }

  /** Returns whether tasks of the job may be ready while it is submitted as a whole. */
  private static boolean gates(JobEntry job) {
    return !job.open().isEmpty() && job.open().stream().anyMatch(JobDependency::isTaskByTask);
  }

  /** Returns whether only dependencies task by task keep the job, and it is not on hold. */
  private boolean goesTaskByTask(JobEntry job) {
    return !isEarly(job.spec().id())
        && job.base() == TaskState.SUBMITTED
        && gates(job)
        && job.open().stream().allMatch(JobDependency::isTaskByTask);
  }

  /** Lets the tasks start whose predecessors have succeeded. */
  List<TaskChange> follow(JobEntry job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    if (goesTaskByTask(job)) {
      for (int index = 0; index < job.spec().tasks().size(); index++) {
        changes.addAll(ready(job, index, now));
      }
    }
    return changes;
  }

  /** Lets one task start if its predecessors have succeeded. */
  List<TaskChange> ready(JobEntry job, int index, long now) {
    return goesTaskByTask(job) && isReady(job, index)
        ? transitions.fire(job.task(index), TaskTrigger.READY, now)
        : List.of();
  }

  private boolean isReady(JobEntry job, int index) {
    if (job.task(index).state() != TaskState.SUBMITTED) {
      return false;
    }
    for (JobDependency dependency : job.open()) {
      JobEntry other = table.job(dependency.job());
      TaskRecord before = other == null ? null : other.task(index);
      if (before == null || before.state() != TaskState.SUCCEEDED) {
        return false;
      }
    }
    return true;
  }

  /** Lets the task start that waits for one that has ended, or cancels it. */
  List<TaskChange> ended(JobId dependent, TaskRecord before, long now) {
    JobEntry job = table.job(dependent);
    if (job == null || job.isOver() || !waitsFor(job, before.id().job())) {
      return List.of();
    }
    int index = before.id().index();
    TaskRecord task = job.task(index);
    if (task != null && before.state() != TaskState.SUCCEEDED) {
      return cancel(task, before, now);
    }
    return task == null ? List.of() : ready(job, index, now);
  }

  private static boolean waitsFor(JobEntry job, JobId other) {
    return job.open().stream().anyMatch(one -> one.isTaskByTask() && one.job().equals(other));
  }

  private List<TaskChange> cancel(TaskRecord task, TaskRecord before, long now) {
    boolean waits = task.state() == TaskState.SUBMITTED || task.state() == TaskState.HELD;
    String why = "task " + before.id() + " " + before.state().label();
    return waits ? transitions.fire(task.because(why), TaskTrigger.CANCEL, now) : List.of();
  }

  /** Returns whether no task of a job starts, since none of another that has ended succeeded. */
  boolean isInVain(JobEntry job, JobDependency dependency) {
    JobEntry other = table.job(dependency.job());
    return dependency.isTaskByTask()
        && other.count(TaskState.SUCCEEDED) == 0
        && job.spec().tasks().size() <= other.spec().tasks().size();
  }

  /** Cancels the tasks whose predecessors did not succeed, now that the other job is over. */
  List<TaskChange> cancelRest(JobEntry job, JobDependency dependency, long now) {
    List<TaskChange> changes = new ArrayList<>();
    JobEntry other = table.job(dependency.job());
    if (!dependency.isTaskByTask() || other.state() == TaskState.SUCCEEDED) {
      return changes;
    }
    for (int index = 0; index < job.spec().tasks().size(); index++) {
      TaskRecord before = other.task(index);
      if (before != null && before.state() != TaskState.SUCCEEDED) {
        changes.addAll(cancel(job.task(index), before, now));
      }
    }
    return changes;
  }
}
