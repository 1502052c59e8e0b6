package io.remuda.coordinator.rest.answer;

import io.remuda.agent.protocol.GpuLoad;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.AttemptUsage;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobSpec;
import java.util.List;

/**
 * A task by its newest attempt.
 *
 * @param node where it is or was; null while it waits
 * @param devices UUIDs of its GPUs; none while it waits
 * @param startedAt time; null while it waits
 * @param endedAt time, or null
 * @param cause why it is in its state, or null
 * @param exitCode or null, as the next four
 * @param signal number of the signal that ended it
 * @param peakRssBytes most memory of its processes together
 * @param preemptions how often it was asked to leave its place
 * @param lostMillis run time that its preemptions have lost
 * @param cpuPercent CPU time in percent of its CPUs × run time; null if that is not known, as the
 *     next three
 * @param gpuPercent mean utilisation of its GPUs
 * @param gpuMostPercent the highest utilisation of one of its GPUs that was sampled
 * @param gpuPeakBytes the most memory that it used of one GPU
 */
public record TaskAnswer(
    String id,
    int index,
    String state,
    int attempt,
    String node,
    List<String> devices,
    String startedAt,
    String endedAt,
    String cause,
    Integer exitCode,
    Integer signal,
    Long peakRssBytes,
    Long cpuMillis,
    Long wallMillis,
    int preemptions,
    long lostMillis,
    Integer cpuPercent,
    Integer gpuPercent,
    Integer gpuMostPercent,
    Long gpuPeakBytes) {

  /**
   * @param spec what its job was asked for; null if that is not known any more
   */
  public static TaskAnswer of(TaskRow row, JobSpec spec) {
    TaskEnd end = row.end();
    GpuLoad load = end == null ? null : end.load();
    boolean placed = row.state().holdsPlace() || row.state().isFinal();
    return new TaskAnswer(
        row.id().toString(),
        row.id().index(),
        row.state().label(),
        row.attempt(),
        placed ? row.node() : null,
        placed ? row.devices().stream().map(DeviceId::uuid).toList() : List.of(),
        placed ? JobAnswer.time(row.started()) : null,
        JobAnswer.time(row.ended()),
        row.cause(),
        end == null ? null : end.exitCode(),
        end == null ? null : end.signal(),
        end == null ? null : end.peakRssBytes(),
        end == null ? null : end.cpuMillis(),
        end == null ? null : end.wallMillis(),
        row.preemptions(),
        row.lostMillis(),
        spec == null || end == null
            ? null
            : AttemptUsage.cpuPercent(
                end.cpuMillis(), spec.request(row.id().index()).milliCpus(), end.wallMillis()),
        load == null ? null : load.meanPercent(),
        load == null ? null : load.maxPercent(),
        end == null || end.gpu() == null ? null : end.gpu().peakBytes());
  }
}
