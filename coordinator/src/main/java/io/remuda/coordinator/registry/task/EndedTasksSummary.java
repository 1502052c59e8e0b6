package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A summary of a job's ended tasks: for each final state the first task with a cause, and the exit
 * code. Tasks may be added in any order. Single-threaded.
 */
public final class EndedTasksSummary {

  /** The index of a task and why it ended. */
  public record FirstEnd(int index, String cause) {}

  /** Empty for most of many jobs, and takes no memory then. */
  private Map<TaskState, FirstEnd> first = Map.of();

  private int badIndex = Integer.MAX_VALUE;
  private Integer badCode;
  private boolean anyGood;

  /**
   * Adds an ended task.
   *
   * @param cause for people, or null
   * @param exitCode of its last process, or null
   */
  public void note(int index, TaskState state, String cause, Integer exitCode) {
    if (cause != null) {
      first = first.isEmpty() ? new EnumMap<>(TaskState.class) : first;
      first.merge(
          state,
          new FirstEnd(index, cause),
          (one, other) -> one.index() <= other.index() ? one : other);
    }
    if (exitCode != null && exitCode == 0) {
      anyGood = true;
    } else if (exitCode != null && index < badIndex) {
      badIndex = index;
      badCode = exitCode;
    }
  }

  /** Returns the first task that ended in this state with a cause. */
  public Optional<FirstEnd> first(TaskState state) {
    return Optional.ofNullable(first.get(state));
  }

  /** Returns the first exit code other than 0 by index, 0 if all known are, null if none is. */
  public Integer exitCode() {
    return badCode != null || !anyGood ? badCode : Integer.valueOf(0);
  }

  /** Adds the tasks of another summary. */
  public void add(EndedTasksSummary other) {
    other.first.forEach((state, said) -> note(said.index(), state, said.cause(), null));
    anyGood |= other.anyGood;
    if (other.badCode != null && other.badIndex < badIndex) {
      badIndex = other.badIndex;
      badCode = other.badCode;
    }
  }
}
