package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Map;

/**
 * The current state of a lease.
 *
 * @param id number of its job
 * @param type job type of its program's work
 * @param state {@link TaskState#RUNNING} if granted
 * @param attempt newest attempt, 0 before the first
 * @param node the program's node, or null while it waits
 * @param devices devices that it holds
 * @param gpuMemory promised bytes of each device, 0 for whole devices
 * @param measuring whether it has the devices exclusively to measure what its type needs
 * @param reasons why it waits, one line each
 * @param cause how it ended, or null
 * @param variables by which its program chooses the devices; none before it has a node
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
    String cause,
    Map<String, String> variables) {
  public LeaseView {
    devices = List.copyOf(devices);
    reasons = List.copyOf(reasons);
    variables = Map.copyOf(variables);
  }
}
