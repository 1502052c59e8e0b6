package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.worker.job.Dependency;
import io.remuda.worker.job.JobId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What concerns jobs as a whole: what their users want, gangs, and jobs that wait for the ends of
 * others. One thread.
 */
final class JobMoves {

  private final TaskTable table;
  private final Moves moves;
  private final Map<JobId, Set<JobId>> dependents = new HashMap<>();
  private final Set<JobId> loosened = new LinkedHashSet<>();
  private final Deque<JobId> ended = new ArrayDeque<>();
  private boolean followingEnds;

  JobMoves(TaskTable table, Moves moves) {
    this.table = table;
    this.moves = moves;
  }

  /** The job will be told of the ends of these. */
  void follow(JobId job, Set<Dependency> open) {
    open.forEach(
        dependency ->
            dependents.computeIfAbsent(dependency.job(), id -> new LinkedHashSet<>()).add(job));
  }

  /** Nobody waits for the job any more. */
  void forget(JobId job) {
    dependents.remove(job);
  }

  /** Jobs that wait for fewer others since this was last asked. */
  Set<JobId> loosened() {
    Set<JobId> jobs = Set.copyOf(loosened);
    loosened.clear();
    return jobs;
  }

  private List<TaskRecord> tasksOf(JobId job) {
    JobEntry entry = table.job(job);
    return entry == null ? List.of() : List.copyOf(entry.tasks());
  }

  /** Ends every task of a job; {@code why} is what people are told of each. */
  List<TaskChange> cancel(JobId job, String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord task : tasksOf(job)) {
      TaskRecord current = table.find(task.id()); // an earlier one may have ended it
      changes.addAll(moves.fire(current.because(why), TaskTrigger.CANCEL, now));
    }
    return changes;
  }

  /**
   * Ends every task that has a place, and leaves the others of its job alone. One that its node
   * gives back before it began waits again; but tasks of a gang begin together, so all of it ends.
   */
  List<TaskChange> stop(String why, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (TaskRecord placed : table.placed()) {
      TaskRecord task = table.find(placed.id()); // an earlier one may have ended it
      if (!task.state().holdsPlace()) {
        continue;
      }
      changes.addAll(
          table.spec(task).terms().gang()
              ? cancel(task.id().job(), why, now)
              : moves.fire(task.stopped(why), TaskTrigger.CANCEL, now));
    }
    return changes;
  }

  /** Keeps a job's tasks from starting. */
  List<TaskChange> hold(JobId job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    tasksOf(job).forEach(task -> changes.addAll(moves.fire(task, TaskTrigger.HOLD, now)));
    return changes;
  }

  /** Lets a job's tasks start again, once the jobs before it have ended. */
  List<TaskChange> release(JobId job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    tasksOf(job).forEach(task -> changes.addAll(moves.fire(task, TaskTrigger.RELEASE, now)));
    changes.addAll(ready(job, now));
    return changes;
  }

  private List<TaskChange> ready(JobId job, long now) {
    JobEntry entry = table.job(job);
    List<TaskChange> changes = new ArrayList<>();
    if (entry != null && entry.open().isEmpty()) {
      for (TaskRecord task : List.copyOf(entry.tasks())) {
        changes.addAll(moves.fire(task, TaskTrigger.READY, now));
      }
    }
    return changes;
  }

  /** A gang ends with the first of its tasks that fails; a job's end concerns those after it. */
  List<TaskChange> afterEnd(TaskRecord task, long now) {
    JobEntry job = table.job(task.id().job());
    List<TaskChange> changes = new ArrayList<>();
    boolean failed = task.state() == TaskState.FAILED || task.state() == TaskState.LOST;
    if (failed && job.spec().terms().gang() && !job.isOver()) {
      String why = "task " + task.id() + " of its gang " + task.state().label();
      changes.addAll(cancel(job.spec().id(), why, now));
    } else if (job.isOver()) {
      ended.add(job.spec().id());
      changes.addAll(followEnds(now));
    }
    return changes;
  }

  /** One after the other, for a chain of jobs may be longer than the stack. */
  private List<TaskChange> followEnds(long now) {
    if (followingEnds) {
      return List.of();
    }
    followingEnds = true;
    List<TaskChange> changes = new ArrayList<>();
    for (JobId id = ended.poll(); id != null; id = ended.poll()) {
      changes.addAll(jobEnded(id, table.job(id).state(), now));
    }
    followingEnds = false;
    return changes;
  }

  private List<TaskChange> jobEnded(JobId id, TaskState state, long now) {
    List<TaskChange> changes = new ArrayList<>();
    Set<JobId> waiting = new HashSet<>(dependents.getOrDefault(id, Set.of()));
    dependents.remove(id);
    for (JobId dependent : waiting.stream().sorted().toList()) {
      JobEntry job = table.job(dependent);
      if (job != null && !job.isOver()) {
        changes.addAll(dependencyEnded(job, id, state, now));
      }
    }
    return changes;
  }

  private List<TaskChange> dependencyEnded(JobEntry job, JobId ended, TaskState state, long now) {
    for (Dependency dependency : List.copyOf(job.open())) {
      if (dependency.job().equals(ended)) {
        if (!TaskRegistry.isMet(dependency, state)) {
          return cancel(job.spec().id(), "job " + ended + " " + state.label(), now);
        }
        job.open().remove(dependency);
        loosened.add(job.spec().id());
      }
    }
    return ready(job.spec().id(), now);
  }
}
