package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.Lifecycle;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes the states of tasks, always through {@link Lifecycle}, and updates the table, the user's
 * use of the cluster, and dependent jobs. Single-threaded.
 */
final class TaskTransitions {

  private final TaskTable table;
  private final FairShare shares;
  private final CoLocation coLocation;
  private final JobTransitions jobs;
  private long birth;

  TaskTransitions(TaskTable table, FairShare shares, CoLocation coLocation) {
    this.table = table;
    this.shares = shares;
    this.coLocation = coLocation;
    this.jobs = new JobTransitions(table, this);
  }

  /** Sets the birth of the state file in which later attempts are placed; 0 for none. */
  void placeIn(long born) {
    birth = born;
  }

  /** Returns the transitions of whole jobs. */
  JobTransitions jobs() {
    return jobs;
  }

  /** Applies a trigger to a task and returns all resulting changes; empty if it has no effect. */
  List<TaskChange> fire(TaskRecord task, TaskTrigger trigger, long now) {
    Optional<TaskState> next = Lifecycle.next(task.state(), trigger);
    if (next.isEmpty()) {
      return List.of(); // such as SEEN_RUNNING while running
    }
    TaskState from = task.state();
    TaskRecord moved = task.in(next.get());
    boolean heard = from == TaskState.UNKNOWN && trigger != TaskTrigger.CANCEL;
    if (heard && next.get() != TaskState.UNKNOWN && moved.place() != null) {
      moved = moved.silentSince(0);
    }
    List<TaskChange> changes = new ArrayList<>();
    changes.add(moved(from, trigger, moved, now));
    if (next.get().isFinal()) {
      changes.addAll(jobs.afterEnd(moved, now));
    } else if (from.holdsPlace() && next.get() == TaskState.WAITING) {
      changes.addAll(jobs.inLine(table.find(task.id()), now)); // its job may be held by now
    }
    return changes;
  }

  /** Gives a waiting task a place. */
  TaskChange place(TaskId id, TaskRecord.Place place, long now) {
    TaskRecord before = table.find(id);
    TaskRecord.Place tagged = place.tagged(AttemptId.tag(birth, table.spec(before).uuid()));
    return moved(before.state(), TaskTrigger.PLACED, before.placed(tagged), now);
  }

  /** Stores the record, without its place if the state holds none, and returns the change. */
  private TaskChange moved(TaskState from, TaskTrigger trigger, TaskRecord task, long now) {
    boolean holds = task.state().holdsPlace();
    TaskRecord.Place place = task.place();
    table.put(holds ? task : task.withoutPlace());
    if (holds && !from.holdsPlace() && table.inSlot(place.slot()).size() == 1) {
      chargeFirst(place.slot(), now);
    } else if (!holds && from.holdsPlace()) {
      coLocation.left(task.id(), now);
      shares.ended(task.id(), now);
      chargeNext(place.slot(), now);
    }
    if (task.state() == TaskState.RUNNING && isShared(task)) {
      coLocation.began(task.id(), type(task), place.devices(), now);
    }
    return new TaskChange(
        task.attempt() == 0 ? new AttemptId(task.id(), 1) : task.attemptId(),
        from,
        trigger,
        task.state(),
        place == null ? null : place.node(),
        place == null ? List.of() : place.devices(),
        task.cause());
  }

  private boolean isShared(TaskRecord task) {
    return !task.place().devices().isEmpty() && table.needs(task).sharesGpus();
  }

  private JobType type(TaskRecord task) {
    return TaskTable.type(table.spec(task)).orElse(null);
  }

  /** Counts a placed task of an earlier coordinator among those that share its devices. */
  void restored(TaskRecord task, long now) {
    if (isShared(task)) {
      coLocation.found(task.id(), type(task), task.place().devices(), now);
    }
  }

  /** Charges the use of a slot to its first task; the tasks behind it have no use yet. */
  void chargeFirst(long slot, long now) {
    if (!table.inSlot(slot).isEmpty()) {
      TaskRecord first = table.find(table.inSlot(slot).first());
      JobSpec job = table.spec(first);
      shares.started(first.id(), job.user(), table.needs(first), now);
    }
  }

  private void chargeNext(long slot, long now) {
    boolean charged = table.inSlot(slot).stream().anyMatch(shares::isCharged);
    if (!charged) {
      chargeFirst(slot, now);
    }
  }
}
