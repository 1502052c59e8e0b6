package io.remuda.coordinator.actor;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import java.util.List;

/**
 * A lease as it is now.
 *
 * @param id its job's number
 * @param type of what its program does with it
 * @param state granted is {@link TaskState#RUNNING}
 * @param attempt the newest, 0 before the first
 * @param node where the program is, or null while it waits
 * @param devices that it holds
 * @param gpuMemory bytes of each device that it was promised, 0 for whole devices
 * @param measuring whether it has the devices for itself to show what its type needs
 * @param reasons why it waits, a line each
 * @param cause how it ended, or null
 */
public record LeaseView(
    JobId id,
    String type,
    TaskState state,
    int attempt,
    String node,
    List<DeviceId> devices,
    long gpuMemory,
    boolean measuring,
    List<String> reasons,
    String cause) {
  public LeaseView {
    devices = List.copyOf(devices);
    reasons = List.copyOf(reasons);
  }
}
