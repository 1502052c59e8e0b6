package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import java.util.Arrays;

/**
 * The ended tasks of a live job: their states, in one byte each because a job may have a million
 * tasks, and a summary. Single-threaded.
 */
public final class EndedTasks {

  private static final TaskState[] STATES = TaskState.values();
  private static final int FIRST_SIZE = 16;

  /** By index: 0 for a task that has not ended, otherwise the ordinal of its state plus 1. */
  private byte[] states = new byte[0];

  private final EndedTasksSummary summary = new EndedTasksSummary();

  /**
   * Adds an ended task.
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

  /** Returns an index above that of every ended task. */
  public int end() {
    return states.length;
  }

  /** Returns the final state of a task, or null if it has not ended. */
  public TaskState state(int index) {
    return states[index] == 0 ? null : STATES[states[index] - 1];
  }

  public EndedTasksSummary summary() {
    return summary;
  }
}
