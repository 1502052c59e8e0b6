package io.remuda.coordinator.registry.task;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TaskId;
import java.util.Optional;

/** The coordinator's record of a task: it waits, holds a place on a node, or has ended. */
public sealed interface TaskRecord permits PendingTask, PlacedTask, EndedTask {

  TaskId id();

  TaskState state();

  TaskAttemptSummary history();

  /** Returns the record with another history. */
  TaskRecord with(TaskAttemptSummary other);

  /**
   * Returns the record in a state in which the task holds no place.
   *
   * @param notBefore when it may be placed again if it waits, on the monotonic clock in nanoseconds
   */
  static TaskRecord unplaced(
      TaskId id, TaskState state, TaskAttemptSummary history, long notBefore) {
    return state.isFinal()
        ? new EndedTask(id, state, history)
        : new PendingTask(id, state, history, notBefore);
  }

  /** Returns the record of a new task in this state. */
  static TaskRecord first(TaskId id, TaskState state, long now) {
    return unplaced(id, state, TaskAttemptSummary.NONE, now);
  }

  /** Returns the newest attempt, valid once the task was placed. Without a place it has no tag. */
  default AttemptId attemptId() {
    return new AttemptId(id(), attempt(), "");
  }

  /** Returns the number of the newest attempt, 0 before the first. */
  default int attempt() {
    return history().attempts();
  }

  /** Returns how often it ended without a result and was retried or is to be retried. */
  default int interruptions() {
    return history().interruptions();
  }

  /** Returns how often its process failed without a reported cause. */
  default int crashes() {
    return history().crashes();
  }

  /** Returns how often it has left its place for another task or on request. */
  default int preemptions() {
    return history().preemptions();
  }

  /** Returns how many epochs its training has done, 0 if it is none. */
  default int epochsDone() {
    return history().training() == null ? 0 : history().training().epochsDone();
  }

  /** Returns the cause of its last end, for people, or null. */
  default String cause() {
    return history().cause();
  }

  /** Returns how its last process ended, or null. */
  default TaskEnd end() {
    return history().end();
  }

  /** Returns the minimum memory, known from failures with less. */
  default MemoryFloor floor() {
    return history().floor();
  }

  /** Returns why it is unknown, or does not end or start, for people; empty if it goes on. */
  default Optional<String> whyNotOver() {
    return Optional.empty();
  }

  /** Returns the record with another cause. */
  default TaskRecord because(String why) {
    return with(history().because(why));
  }
}
