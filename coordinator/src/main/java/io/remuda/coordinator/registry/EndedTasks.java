package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.Arrays;

/**
 * The tasks of a live job that are over, as far as anything still depends on them: a byte for each,
 * for a job may have a million. One thread.
 */
public final class EndedTasks {

  private static final TaskState[] STATES = TaskState.values();
  private static final int FIRST_SIZE = 16;

  /** By index: 0 for a task that is not over, else its state's ordinal and 1. */
  private byte[] states = new byte[0];

  private final EndSummary summary = new EndSummary();

  /**
   * A task is over.
   *
   * @param cause for people, or null
   * @param exitCode of its last process, or null
   */
  public void add(int index, TaskState state, String cause, Integer exitCode) {
    if (!state.isFinal()) {
      throw new IllegalArgumentException("task " + index + " is not over: " + state);
    }
    if (index >= states.length) {
      states = Arrays.copyOf(states, Math.max(Math.max(FIRST_SIZE, index + 1), 2 * states.length));
    }
    states[index] = (byte) (state.ordinal() + 1);
    summary.note(index, state, cause, exitCode);
  }

  /** The highest index that may be over, and 1. */
  int end() {
    return states.length;
  }

  /** How a task ended, or null if it is not over. */
  public TaskState state(int index) {
    return states[index] == 0 ? null : STATES[states[index] - 1];
  }

  EndSummary summary() {
    return summary;
  }
}
