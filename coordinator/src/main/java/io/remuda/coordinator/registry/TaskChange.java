package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.util.List;

/**
 * A task went from one state to another; or many untouched tasks of a job did at once.
 *
 * @param attempt the task's newest, or 1; of many the first one's
 * @param node where the attempt was or is, or null
 * @param devices lent to it
 * @param cause for people, or null
 * @param tasks how many; of more than one nothing ran, and they have no row of their own
 */
public record TaskChange(
    AttemptId attempt,
    TaskState from,
    TaskTrigger trigger,
    TaskState to,
    String node,
    List<DeviceId> devices,
    String cause,
    int tasks) {

  /** The change of one task. */
  public TaskChange(
      AttemptId attempt,
      TaskState from,
      TaskTrigger trigger,
      TaskState to,
      String node,
      List<DeviceId> devices,
      String cause) {
    this(attempt, from, trigger, to, node, devices, cause, 1);
  }

  /** Whether it tells of more than one task. */
  public boolean isOfMany() {
    return tasks > 1;
  }

  /** Whether the attempt gave its node and devices back with this change. */
  public boolean releases() {
    return from.holdsPlace() && !to.holdsPlace();
  }
}
