package io.remuda.coordinator.registry.task;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.util.List;

/**
 * A change of state of one task, or of many untouched tasks of a job at once.
 *
 * @param attempt the newest attempt of the task, or 1 before the first; of many tasks the first
 * @param node the node of the attempt, or null
 * @param devices devices lent to it
 * @param cause for people, or null
 * @param tasks number of tasks; if above 1, none of them has run or has a row of its own
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

  /** Creates the change of one task. */
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

  /** Returns whether it is a change of more than one task. */
  public boolean isOfMany() {
    return tasks > 1;
  }

  /** Returns whether this change frees the attempt's place and devices. */
  public boolean releases() {
    return from.holdsPlace() && !to.holdsPlace();
  }
}
