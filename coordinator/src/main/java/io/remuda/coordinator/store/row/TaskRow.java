package io.remuda.coordinator.store.row;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import java.util.List;

/**
 * The current state of a task that was placed at least once. Times are milliseconds since 1970 by
 * the coordinator's clock, 0 for not yet.
 *
 * @param attempt number of the newest attempt
 * @param node where the newest attempt is or was, or null
 * @param devices that the newest attempt has or had on that node
 * @param started when the process of the newest attempt was first seen
 * @param ended when the task reached its final state
 * @param ending why the newest attempt is being ended, if it is
 * @param end how its last process ended, or null
 * @param slot of the newest attempt while it has a place, otherwise 0
 * @param gpuMemory bytes promised to the newest attempt on each device; 0 for whole devices, {@link
 *     io.remuda.worker.job.ResourceRequest#AUTO} while its type is measured
 * @param gpuFloor minimum bytes on each device, because an attempt with less failed; or 0
 * @param memoryFloor minimum bytes of main memory, for the same reason; or 0
 * @param tag of the newest attempt
 * @param preemptions how often it has left its place for another task or on request
 * @param lostMillis sum of run times that it did not save
 * @param training how far it is, if it is a training, else null
 * @param gpus number of GPUs for its next place, if that is not the requested one, else 0
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
    String tag,
    int preemptions,
    long lostMillis,
    TrainingProgress training,
    int gpus) {

  public TaskRow {
    devices = List.copyOf(devices);
  }

  /** Returns the row of a task that was cancelled with its whole job and never placed. */
  public static TaskRow cancelled(TaskId id, JobRow job) {
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
        "",
        0,
        0,
        null,
        0);
  }
}
