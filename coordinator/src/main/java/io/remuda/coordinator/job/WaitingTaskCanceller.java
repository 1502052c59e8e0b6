package io.remuda.coordinator.job;

import io.remuda.coordinator.api.CoordinatorCommand.WaitingCancelled;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingTasks;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.List;

/**
 * Cancels the tasks of a live job that have no place, and no others: whether one has is decided in
 * the same step. A job of which nothing has a place ends as a whole; of another one a portion of
 * tasks is cancelled at once, so that other messages are handled in between.
 */
final class WaitingTaskCanceller {

  /** Number of tasks that are cancelled in one step. */
  static final int PORTION = 1000;

  private final TaskRegistry tasks;

  WaitingTaskCanceller(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  /** What was done, and what to answer. */
  record Outcome(List<TaskChange> changes, WaitingCancelled answer) {}

  /**
   * @param why becomes the cause of the tasks, for people
   */
  Outcome cancel(JobId id, WaitingTasks meant, String why, long now) {
    boolean whole = meant.first() == 0 && meant.end() == 0;
    int waiting = count(id, meant);
    if (whole && waiting == unfinished(id)) {
      List<TaskChange> changes = tasks.requests().cancel(id, why, now);
      return new Outcome(changes, new WaitingCancelled(id, waiting, 0, null));
    }
    LiveJob job = tasks.live(id).orElseThrow();
    return job.spec().terms().startsTogether() // its members start and end together
        ? new Outcome(List.of(), new WaitingCancelled(id, 0, unfinished(id), null))
        : portion(job, meant, why, now);
  }

  private Outcome portion(LiveJob job, WaitingTasks meant, String why, long now) {
    JobId id = job.spec().id();
    List<TaskRecord> all = job.tasks();
    int end = meant.end() == 0 ? all.size() : Math.min(all.size(), meant.end());
    List<TaskChange> changes = new ArrayList<>();
    int cancelled = 0;
    int number = meant.first();
    for (; number < end && cancelled < PORTION && !isOver(id); number++) {
      TaskRecord task = all.get(number);
      if (meant.states().contains(task.state())) {
        changes.addAll(tasks.requests().fire(task.id(), TaskTrigger.CANCEL, why, now));
        cancelled++;
      }
    }
    Integer next = number < end && !isOver(id) ? number : null;
    return new Outcome(changes, new WaitingCancelled(id, cancelled, unfinished(id), next));
  }

  private boolean isOver(JobId id) {
    return tasks.stateOf(id).map(TaskState::isFinal).orElse(true);
  }

  private int count(JobId id, WaitingTasks meant) {
    return tasks.counts(id).entrySet().stream()
        .filter(state -> meant.states().contains(state.getKey()))
        .mapToInt(state -> state.getValue())
        .sum();
  }

  private int unfinished(JobId id) {
    return tasks.counts(id).entrySet().stream()
        .filter(state -> !state.getKey().isFinal())
        .mapToInt(state -> state.getValue())
        .sum();
  }
}
