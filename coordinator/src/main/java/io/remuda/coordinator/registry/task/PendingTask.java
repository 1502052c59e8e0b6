package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.TaskId;

/**
 * A task that does not run yet, or not again yet.
 *
 * @param notBefore when it may be placed, on the monotonic clock in nanoseconds
 */
public record PendingTask(TaskId id, TaskState state, TaskAttemptSummary history, long notBefore)
    implements TaskRecord {
  public PendingTask {
    if (!state.isBefore()) {
      throw new IllegalArgumentException("task " + id + " does not wait: " + state);
    }
  }

  @Override
  public PendingTask with(TaskAttemptSummary other) {
    return new PendingTask(id, state, other, notBefore);
  }

  /**
   * Returns the record with its next attempt in this place.
   *
   * @param sinceRevision first revision of the node's desired state that contains the attempt
   */
  public PlacedTask placed(Place place, long sinceRevision) {
    return new PlacedTask(
        id,
        TaskState.STARTING,
        history.withAttempt(),
        place,
        AttemptStage.orderedIn(sinceRevision),
        notBefore);
  }
}
