package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.lifecycle.TransitionAction;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.registry.policy.FairShareUsage;
import io.remuda.coordinator.registry.task.PendingTask;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.usage.AttemptUsage;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Changes the states of tasks, always through {@link Lifecycle}, and updates the table, the user's
 * use of the cluster, and dependent jobs. Single-threaded.
 */
final class TaskTransitions {

  private static final long NANOS_OF_MILLI = 1_000_000;

  private final TaskTable table;
  private final FairShareUsage shares;
  private final CoLocationTimeMeter coLocation;
  private final JobTransitions jobs;
  private final GangTransitions gangs;
  private final UsageAccumulator usage = new UsageAccumulator();
  private long birth;

  TaskTransitions(TaskTable table, FairShareUsage shares, CoLocationTimeMeter coLocation) {
    this.table = table;
    this.shares = shares;
    this.coLocation = coLocation;
    this.gangs = new GangTransitions(table, this);
    this.jobs = new JobTransitions(table, this, gangs);
  }

  /** Sets the birth of the state file in which later attempts are placed; 0 for none. */
  void placeIn(long born) {
    birth = born;
  }

  /** Returns what attempts used that have left their places. */
  UsageAccumulator usage() {
    return usage;
  }

  /** Returns the transitions of whole jobs. */
  JobTransitions jobs() {
    return jobs;
  }

  /** Returns the transitions of gangs. */
  GangTransitions gangs() {
    return gangs;
  }

  /** Applies a trigger to a task, with a cause for people. */
  List<TaskChange> fire(TaskId id, TaskTrigger trigger, String why, long now) {
    TaskRecord task = table.find(id);
    return task == null ? List.of() : fire(task.because(why), trigger, now);
  }

  /** Applies a trigger to a task and returns all resulting changes; empty if it has no effect. */
  List<TaskChange> fire(TaskRecord task, TaskTrigger trigger, long now) {
    Optional<Lifecycle.Row> row = Lifecycle.row(task.state(), trigger);
    return row.isPresent()
        ? follow(task, row.get(), now)
        : List.of(); // such as SEEN_RUNNING while running
  }

  private List<TaskChange> follow(TaskRecord task, Lifecycle.Row row, long now) {
    TaskRecord moved = in(task, row.to());
    if (row.does(TransitionAction.HEAR_NODE)) {
      moved = ((PlacedTask) moved).silentSince(0);
    }
    List<TaskChange> changes = new ArrayList<>();
    changes.add(moved(task, row, moved, now));
    if (row.does(TransitionAction.END)) {
      changes.addAll(jobs.afterEnd(moved, now));
    } else if (row.does(TransitionAction.REJOIN)) {
      changes.addAll(jobs.inLine(table.find(task.id()), now)); // its job may be held by now
      changes.addAll(gangs.together(task.id().job(), now));
    }
    return changes;
  }

  private static TaskRecord in(TaskRecord task, TaskState next) {
    if (task instanceof PlacedTask placed) {
      return placed.in(next);
    }
    long notBefore = task instanceof PendingTask pending ? pending.notBefore() : 0;
    return TaskRecord.unplaced(task.id(), next, task.history(), notBefore);
  }

  /** Gives a waiting task a place, of which its node knows nothing yet. */
  TaskChange place(TaskId id, Place place, long now) {
    PendingTask before = (PendingTask) table.find(id);
    table.job(id.job()).isPlaced(now);
    Place tagged = place.tagged(AttemptId.tag(birth, table.spec(before).uuid()));
    Lifecycle.Row row = Lifecycle.row(before.state(), TaskTrigger.PLACED).orElseThrow();
    return moved(before, row, before.placed(tagged, TaskRegistry.NOT_ORDERED), now);
  }

  /** Stores the new record, does what concerns its place, and returns the change. */
  private TaskChange moved(TaskRecord before, Lifecycle.Row row, TaskRecord after, long now) {
    if (row.does(TransitionAction.FREE_PLACE)) {
      noteUsage((PlacedTask) before, after, now);
    }
    table.put(after);
    if (row.does(TransitionAction.TAKE_PLACE)) {
      begun((PlacedTask) after, now);
    }
    if (row.does(TransitionAction.BEGIN_SHARING) && isShared((PlacedTask) after)) {
      PlacedTask placed = (PlacedTask) after;
      coLocation.began(placed.id(), type(placed), placed.place().devices(), now);
    }
    if (row.does(TransitionAction.FREE_PLACE)) {
      left((PlacedTask) before, now);
      noteBegin(after, now);
    }
    return change(before, row.trigger(), after);
  }

  /**
   * Notes that a job has begun if a task of it ended by itself, which may never be seen running.
   */
  private void noteBegin(TaskRecord ended, long now) {
    TaskEnd end = ended.end();
    if (end != null && end.kind() == TaskEnd.Kind.BY_ITSELF) {
      long millis = end.wallMillis() == null ? 0 : end.wallMillis();
      table.job(ended.id().job()).begun(now - millis * NANOS_OF_MILLI);
    }
  }

  /** Must be called while the table has the record from before the report of the end. */
  private void noteUsage(PlacedTask task, TaskRecord after, long now) {
    TaskRecord before = table.find(task.id());
    TaskEnd end = before.end() == after.end() ? null : after.end(); // that of this attempt only
    long since = task.progress().runningSince();
    long seen = since == 0 ? 0 : (now - since) / NANOS_OF_MILLI;
    usage.left(
        table.spec(task),
        task.id().index(),
        task.place().node(),
        new AttemptUsage(
            table.needs(before),
            task.place().devices().size(),
            end == null || end.wallMillis() == null ? seen : end.wallMillis(),
            end),
        after.state().isFinal());
  }

  private void begun(PlacedTask task, long now) {
    if (table.inSlot(task.place().slot()).size() == 1) {
      chargeFirst(task.place().slot(), now);
    }
  }

  private void left(PlacedTask task, long now) {
    coLocation.left(task.id(), now);
    shares.ended(task.id(), now);
    chargeNext(task.place().slot(), now);
  }

  private static TaskChange change(TaskRecord before, TaskTrigger trigger, TaskRecord after) {
    PlacedTask placed =
        after instanceof PlacedTask there ? there : before instanceof PlacedTask left ? left : null;
    return new TaskChange(
        attempt(placed == null ? after : placed),
        before.state(),
        trigger,
        after.state(),
        placed == null ? null : placed.place().node(),
        placed == null ? List.of() : placed.place().devices(),
        after.cause());
  }

  /** Returns the newest attempt; the first for a task that was never placed. */
  private static AttemptId attempt(TaskRecord task) {
    return task.attempt() == 0 ? new AttemptId(task.id(), 1) : task.attemptId();
  }

  private boolean isShared(PlacedTask task) {
    return !task.place().devices().isEmpty() && table.needs(task).gpuShare().isShared();
  }

  private JobType type(TaskRecord task) {
    return TaskNeeds.type(table.spec(task)).orElse(null);
  }

  /** Counts the placed tasks of an earlier coordinator as users of their slots and devices. */
  void restored(Collection<TaskRecord> changed, long now) {
    if (changed.isEmpty()) {
      return; // so of most jobs, of which there may be a hundred thousand
    }
    List<PlacedTask> placed =
        changed.stream()
            .map(task -> table.find(task.id()))
            .filter(PlacedTask.class::isInstance)
            .map(PlacedTask.class::cast)
            .toList();
    for (PlacedTask task : placed) {
      if (isShared(task)) {
        coLocation.found(task.id(), type(task), task.place().devices(), now);
      }
    }
    placed.stream()
        .map(task -> task.place().slot())
        .distinct()
        .forEach(slot -> chargeFirst(slot, now));
  }

  /** Charges the use of a slot to its first task; the tasks behind it have no use yet. */
  private void chargeFirst(long slot, long now) {
    if (!table.inSlot(slot).isEmpty()) {
      TaskRecord first = table.find(table.inSlot(slot).first());
      JobSpec job = table.spec(first);
      if (job.terms().qos() != Qos.SCAVENGER) {
        shares.started(first.id(), job.user(), table.needs(first), now);
      }
    }
  }

  private void chargeNext(long slot, long now) {
    for (TaskId task : table.inSlot(slot)) { // at each end of a task, so without a stream
      if (shares.isCharged(task)) {
        return;
      }
    }
    chargeFirst(slot, now);
  }
}
