package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import java.util.List;

/**
 * A task went from one state to another.
 *
 * @param node where the attempt was or is, or null
 * @param devices lent to it
 * @param cause for people, or null
 */
public record TaskChange(
    AttemptId attempt,
    TaskState from,
    TaskTrigger trigger,
    TaskState to,
    String node,
    List<DeviceId> devices,
    String cause) {

  /** Whether the attempt gave its node and devices back with this change. */
  public boolean releases() {
    return from.holdsPlace() && !to.holdsPlace();
  }
}
