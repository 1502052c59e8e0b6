package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.TaskId;

/** A task in a final state. */
public record EndedTask(TaskId id, TaskState state, TaskAttemptSummary history)
    implements TaskRecord {
  public EndedTask {
    if (!state.isFinal()) {
      throw new IllegalArgumentException("task " + id + " is not over: " + state);
    }
  }

  @Override
  public EndedTask with(TaskAttemptSummary other) {
    return new EndedTask(id, state, other);
  }
}
