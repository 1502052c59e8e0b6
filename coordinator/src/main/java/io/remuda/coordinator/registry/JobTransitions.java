package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskFollowsJobRule;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Transitions of whole jobs: requests of users, gangs, and dependencies between jobs.
 * Single-threaded.
 *
 * <p>A transition changes the job's base state, which is one row for any number of tasks. The tasks
 * with a record of their own follow in portions, since there may be many. A crash between two
 * portions loses nothing: the base state is in the job's row, and {@link #restored} continues.
 */
final class JobTransitions {

  /** Up to this number of untouched tasks, each has its own change and row. */
  static final int MOST_ALONE = 1000;

  /** Number of changes per commit; other messages are handled in between. */
  static final int PORTION = 1000;

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final GangTransitions gangs;
  private final StartGates gates;
  private final PlacedTaskEviction leaving;
  private final Map<JobId, Set<JobId>> dependents = new HashMap<>();
  private final Set<JobId> loosened = new LinkedHashSet<>();
  private final Set<JobId> rebased = new LinkedHashSet<>();

  /** Jobs with touched tasks that do not follow the base yet, and the first index to check. */
  private final Map<JobId, Integer> unsettled = new LinkedHashMap<>();

  /** Number of changes of single tasks that are still made at once. */
  private long left = Long.MAX_VALUE;

  private final Deque<JobId> ended = new ArrayDeque<>();
  private boolean followingEnds;

  JobTransitions(TaskTable table, TaskTransitions transitions, GangTransitions gangs) {
    this.table = table;
    this.gangs = gangs;
    this.transitions = transitions;
    this.gates = new StartGates(table, transitions);
    this.leaving = new PlacedTaskEviction(table, transitions, this);
  }

  /** Returns how tasks are asked to leave their places. */
  PlacedTaskEviction leaving() {
    return leaving;
  }

  /** Returns what keeps the tasks of submitted jobs. */
  StartGates gates() {
    return gates;
  }

  /** Lets a job start whose time has come, unless something else keeps it. */
  List<TaskChange> begin(JobId id, long now) {
    JobEntry job = table.job(id);
    return gates.pass(id) && job != null && !job.isOver() ? ready(job, now) : List.of();
  }

  /** Registers a job as dependent on others. */
  void follow(JobId job, Set<JobDependency> open) {
    open.forEach(
        dependency ->
            dependents.computeIfAbsent(dependency.job(), id -> new LinkedHashSet<>()).add(job));
  }

  /**
   * Changes the time and the jobs that an untouched job waits for.
   *
   * @param open the dependencies that are not met yet
   */
  List<TaskChange> startAnew(JobSpec spec, Set<JobDependency> open, long now) {
    JobId id = spec.id();
    JobEntry job = table.job(id);
    boolean held = job.base() == TaskState.HELD;
    List<TaskChange> changes = new ArrayList<>(held ? List.of() : hold(id, now));
    loosen(job);
    job.open().addAll(open);
    follow(id, open);
    gates.pass(id);
    gates.await(spec);
    table.replace(spec);
    changes.addAll(held ? List.of() : release(id, now));
    return changes;
  }

  /** Lets a job depend on no other. */
  private void loosen(JobEntry job) {
    JobId id = job.spec().id();
    job.open().forEach(old -> dependents.getOrDefault(old.job(), new HashSet<>()).remove(id));
    job.open().clear();
  }

  /** Removes an ended job. */
  void forget(JobId job) {
    dependents.remove(job);
    unsettled.remove(job);
    gates.pass(job);
    gangs.forget(job);
  }

  /** Returns the jobs with fewer open dependencies since the last call. */
  Set<JobId> loosened() {
    Set<JobId> jobs = Set.copyOf(loosened);
    loosened.clear();
    return jobs;
  }

  /** Returns the jobs with a new base state since the last call. */
  Set<JobId> rebased() {
    Set<JobId> jobs = Set.copyOf(rebased);
    rebased.clear();
    return jobs;
  }

  /**
   * Runs requests that concern any number of jobs, by which about so many tasks change at once, one
   * by one. Each further job changes by one row, and its tasks with records follow later.
   */
  void bounded(int changes, Runnable requests) {
    left = changes;
    requests.run();
    left = Long.MAX_VALUE;
  }

  /** Ends every task of a job; {@code why} becomes their cause, for people. */
  List<TaskChange> cancel(JobId id, String why, long now) {
    JobEntry job = table.job(id);
    return job == null || job.isOver() ? List.of() : put(job, TaskTrigger.CANCEL, why, now);
  }

  /** Keeps a job's tasks from starting. */
  List<TaskChange> hold(JobId id, long now) {
    JobEntry job = table.job(id);
    return job == null ? List.of() : put(job, TaskTrigger.HOLD, null, now);
  }

  private List<TaskChange> put(JobEntry job, TaskTrigger trigger, String why, long now) {
    List<TaskChange> changes = new ArrayList<>(toAll(job, trigger, why, now));
    changes.addAll(follow(job, now));
    return changes;
  }

  /** Lets the tasks of a held job start once its dependencies are met. */
  List<TaskChange> release(JobId id, long now) {
    JobEntry job = table.job(id);
    if (job == null) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>(toAll(job, TaskTrigger.RELEASE, null, now));
    changes.addAll(ready(job, now));
    return changes;
  }

  private List<TaskChange> ready(JobEntry job, long now) {
    List<TaskChange> changes = new ArrayList<>();
    if (job.open().isEmpty() && !gates.isEarly(job.spec().id())) {
      changes.addAll(toAll(job, TaskTrigger.READY, null, now));
    }
    changes.addAll(follow(job, now));
    changes.addAll(gates.follow(job, now));
    return changes;
  }

  /** Applies a trigger to the untouched tasks of a job; the others {@link #follow}. */
  private List<TaskChange> toAll(JobEntry job, TaskTrigger trigger, String why, long now) {
    TaskState to = Lifecycle.next(job.base(), trigger).orElse(null);
    if (to == null) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    int tasks = job.untouched();
    boolean each = isEach(job);
    long before = left;
    if (each && to.isFinal()) {
      job.untouchedTasks()
          .forEach(task -> changes.addAll(transitions.fire(task.because(why), trigger, now)));
    } else if (each) {
      job.untouchedTasks().forEach(task -> changes.add(change(task, trigger, to, why, 1)));
    } else {
      changes.add(change(job.task(job.firstUntouched()), trigger, to, why, tasks));
    }
    left = Math.min(left, before - changes.size()); // with what the ends of tasks have brought
    table.rebase(job, to, why, now);
    rebased.add(job.spec().id());
    if (!each && job.isOver()) {
      changes.addAll(isOver(job, now));
    }
    return changes;
  }

  /** Returns whether the untouched tasks of a job change one by one, not as one row. */
  private boolean isEach(JobEntry job) {
    return job.spec().tied() || job.untouched() <= Math.min(MOST_ALONE, Math.max(1, left));
  }

  /** Cancels the tasks of a job that were never placed; the others {@link #follow}. */
  List<TaskChange> cancelUntouched(JobEntry job, String why, long now) {
    return toAll(job, TaskTrigger.CANCEL, why, now);
  }

  private static TaskChange change(
      TaskRecord task, TaskTrigger trigger, TaskState to, String why, int tasks) {
    AttemptId attempt = new AttemptId(task.id(), 1);
    return new TaskChange(attempt, task.state(), trigger, to, null, List.of(), why, tasks);
  }

  /** Lets the touched tasks of a job follow its base, the first portion now if it may be. */
  List<TaskChange> follow(JobEntry job, long now) {
    if (job.live() == 0) {
      return List.of();
    }
    unsettled.put(job.spec().id(), 0);
    List<TaskChange> changes = left > 0 ? settle(job.spec().id(), now) : List.of();
    left -= changes.size();
    return changes;
  }

  /** Lets the tasks of a restored job follow its base, as they may not have before the restart. */
  void restored(JobEntry job, long now) {
    gates.restored(job);
    if (job.live() > 0) {
      unsettled.put(job.spec().id(), 0);
    }
    boolean failed = job.count(TaskState.FAILED) + job.count(TaskState.LOST) > 0;
    if (failed && job.spec().terms().failsTogether() && job.base() == TaskState.CANCELLED) {
      gangs.ending(job.spec().id(), now);
    }
  }

  /** Returns whether tasks have yet to follow the base of their job. */
  boolean isUnsettled() {
    return !unsettled.isEmpty();
  }

  /** Returns whether tasks of this job have yet to follow its base. */
  boolean isUnsettled(JobId job) {
    return unsettled.containsKey(job);
  }

  /** Lets about {@value #PORTION} tasks follow the base of their jobs. */
  List<TaskChange> settle(long now) {
    List<TaskChange> changes = new ArrayList<>();
    while (isUnsettled() && changes.size() < PORTION) {
      changes.addAll(settle(unsettled.keySet().iterator().next(), now));
    }
    return changes;
  }

  private List<TaskChange> settle(JobId id, long now) {
    List<TaskChange> changes = new ArrayList<>();
    JobEntry job = table.job(id);
    int from = unsettled.remove(id);
    while (job != null && changes.size() < PORTION) {
      TaskRecord task = job.nextLive(from);
      if (task == null) {
        return changes;
      }
      changes.addAll(inLine(task, now));
      from = task.id().index() + 1;
    }
    if (job != null) {
      unsettled.put(id, from);
    }
    return changes;
  }

  /** Brings a touched task to its job's base state, if it has no place or the job is cancelled. */
  List<TaskChange> inLine(TaskRecord task, long now) {
    List<TaskChange> changes = new ArrayList<>();
    JobEntry job = table.job(task.id().job());
    TaskRecord current = task;
    for (TaskTrigger next = TaskFollowsJobRule.next(job.base(), current.state());
        next != null;
        next = TaskFollowsJobRule.next(job.base(), current.state())) {
      boolean ends = next == TaskTrigger.CANCEL;
      changes.addAll(transitions.fire(ends ? current.because(job.why()) : current, next, now));
      current = table.find(task.id());
    }
    changes.addAll(gates.ready(job, task.id().index(), now));
    return changes;
  }

  /** Handles the effects of a task's end on its gang and on dependent jobs. */
  List<TaskChange> afterEnd(TaskRecord task, long now) {
    JobEntry job = table.job(task.id().job());
    List<TaskChange> changes = new ArrayList<>();
    for (JobId dependent : List.copyOf(dependents.getOrDefault(job.spec().id(), Set.of()))) {
      changes.addAll(gates.ended(dependent, task, now));
    }
    boolean failed = task.state() == TaskState.FAILED || task.state() == TaskState.LOST;
    if (failed && job.spec().terms().failsTogether() && !job.isOver()) {
      String why = "task " + task.id() + " of its gang " + task.state().label();
      if (!job.base().isFinal()) {
        changes.addAll(cancel(job.spec().id(), why, now));
      }
      gangs.ending(job.spec().id(), now);
    } else if (failed && job.hasFailedEnough()) {
      changes.addAll(cancel(job.spec().id(), job.failedEnough(), now));
    } else if (job.isOver()) {
      changes.addAll(isOver(job, now));
    }
    return changes;
  }

  private List<TaskChange> isOver(JobEntry job, long now) {
    ended.add(job.spec().id());
    return followEnds(now);
  }

  /** Handles ended jobs in a loop: recursion along a chain of jobs may overflow the stack. */
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
        changes.addAll(
            job.spec().terms().afterOne()
                ? oneEnded(job, id, state, now)
                : dependencyEnded(job, id, state, now));
      }
    }
    return changes;
  }

  private List<TaskChange> dependencyEnded(JobEntry job, JobId ended, TaskState state, long now) {
    List<TaskChange> changes = new ArrayList<>();
    for (JobDependency dependency : List.copyOf(job.open())) {
      if (dependency.job().equals(ended)) {
        boolean inVain = !isEach(job) && gates.isInVain(job, dependency);
        if (inVain || !DependencyRule.isMet(dependency, state)) {
          return cancel(job.spec().id(), "job " + ended + " " + state.label(), now);
        }
        changes.addAll(gates.cancelRest(job, dependency, now));
        job.open().remove(dependency);
        loosened.add(job.spec().id());
      }
    }
    if (!job.isOver()) {
      changes.addAll(ready(job, now));
    }
    return changes;
  }

  /** Lets a job start that one dependency is enough for, or cancels it if none is left. */
  private List<TaskChange> oneEnded(JobEntry job, JobId ended, TaskState state, long now) {
    List<JobDependency> over =
        job.open().stream().filter(dependency -> dependency.job().equals(ended)).toList();
    if (over.isEmpty()) {
      return List.of();
    }
    if (over.stream().anyMatch(dependency -> DependencyRule.isMet(dependency, state))) {
      loosen(job);
    } else if (over.size() < job.open().size()) {
      over.forEach(job.open()::remove);
    } else {
      return cancel(job.spec().id(), DependencyRule.noneMet(job.spec().terms().after()), now);
    }
    loosened.add(job.spec().id());
    return ready(job, now);
  }
}
