package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the end of a job says of its tasks: of each way to end the first task that says why, and the
 * exit code. Tasks may be noted in any order. One thread.
 */
final class EndSummary {

  /** A task and why it ended. */
  record FirstEnd(int index, String cause) {}

  private final Map<TaskState, FirstEnd> first = new EnumMap<>(TaskState.class);
  private int badIndex = Integer.MAX_VALUE;
  private Integer badCode;
  private boolean anyGood;

  /**
   * A task is over.
   *
   * @param cause for people, or null
   * @param exitCode of its last process, or null
   */
  void note(int index, TaskState state, String cause, Integer exitCode) {
    if (cause != null) {
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

  /** The first task that ended so and says why. */
  Optional<FirstEnd> first(TaskState state) {
    return Optional.ofNullable(first.get(state));
  }

  /** Of the first task that did not end well, 0 if all did, or null if no process ended. */
  Integer exitCode() {
    return badCode != null || !anyGood ? badCode : Integer.valueOf(0);
  }

  /** Takes in what another one knows. */
  void add(EndSummary other) {
    other.first.forEach((state, said) -> note(said.index(), state, said.cause(), null));
    anyGood |= other.anyGood;
    if (other.badCode != null && other.badIndex < badIndex) {
      badIndex = other.badIndex;
      badCode = other.badCode;
    }
  }
}
