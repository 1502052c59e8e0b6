package io.remuda.coordinator.store;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TaskId;
import java.util.List;

/**
 * A task that was placed at least once, as it stands. Times are milliseconds since 1970 by the
 * coordinator's clock, 0 for not yet.
 *
 * @param attempt the newest
 * @param node where the newest attempt is or was, or null
 * @param devices of that node, which it has or had
 * @param started when the process of the newest attempt was first seen
 * @param ended when the task came to its final state
 * @param ending why the newest attempt is being ended, if it is
 * @param end how its last process ended, or null
 * @param slot of the newest attempt while it has a place, else 0
 * @param gpuMemory bytes of each device that the newest attempt was promised; 0 for whole devices,
 *     {@link io.remuda.worker.job.ResourceRequest#AUTO} for those on which its type is measured
 * @param gpuFloor bytes of each device that it needs at least, since less was too little; or 0
 * @param memoryFloor bytes of its machine, likewise
 * @param tag of the newest attempt
 */
public record TaskRow(
    TaskId id,
    TaskState state,
    int attempt,
    String node,
    List<DeviceId> devices,
    long started,
    long ended,
    int interruptions,
    int crashes,
    EndReason ending,
    String cause,
    TaskEnd end,
    long slot,
    long gpuMemory,
    long gpuFloor,
    long memoryFloor,
    String tag) {

  public TaskRow {
    devices = List.copyOf(devices);
  }

  /** A task that was cancelled with all others of its job before it was ever placed. */
  static TaskRow cancelled(TaskId id, JobRow job) {
    return new TaskRow(
        id,
        TaskState.CANCELLED,
        0,
        null,
        List.of(),
        0,
        job.ended(),
        0,
        0,
        EndReason.ON_REQUEST,
        job.cancelled(),
        null,
        0,
        0,
        0,
        0,
        "");
  }
}
