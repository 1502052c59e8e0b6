package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.coordinator.store.query.EarlierAttempt;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.usage.AttemptUsage;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.sweep.Sweep;
import java.util.List;
import java.util.Map;

/**
 * A task by its newest attempt.
 *
 * @param node where it is or was; null while it waits
 * @param devices UUIDs of its GPUs; none while it waits
 * @param startedAt time; null while it waits
 * @param endedAt time, or null
 * @param cause why it is in its state, or null
 * @param exitCode or null, as all that follows
 * @param signal number of the signal that ended it
 * @param peakRssBytes most memory of its processes together
 * @param preemptions how often it was asked to leave its place
 * @param lostMillis run time that its preemptions have lost
 * @param cpuPercent CPU time in percent of its CPUs × run time; null if that is not known, as the
 *     next three
 * @param gpuPercent mean utilisation of its GPUs
 * @param gpuMostPercent the highest utilisation of one of its GPUs that was sampled
 * @param gpuPeakBytes the most memory that it used of one GPU
 * @param earlier its attempts before this one, in order; absent if they were not asked for
 * @param arrayIndex its array index, absent if the indices of its job are the tasks' numbers
 * @param parameters what it has for itself, by name; only of a task of a sweep
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
    Long gpuPeakBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<Earlier> earlier,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer arrayIndex,
    @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, String> parameters) {

  /**
   * An attempt that was followed by another one.
   *
   * @param node or null, as the others
   */
  public record Earlier(int attempt, String node, String startedAt, String endedAt, String cause) {

    private static Earlier of(EarlierAttempt attempt) {
      return new Earlier(
          attempt.attempt(),
          attempt.node(),
          JobAnswer.time(attempt.started()),
          JobAnswer.time(attempt.ended()),
          attempt.cause());
    }
  }

  private static final TaskUse NOTHING = new TaskUse(null, null, null, null, null, null);

  /**
   * @param spec what its job was asked for; null if that is not known any more
   * @param live what it has used so far, if it runs; null if that is not known
   * @param earlier its earlier attempts; null if they are not known
   */
  public static TaskAnswer of(
      TaskRow row, JobSpec spec, TaskUse live, List<EarlierAttempt> earlier) {
    boolean placed = row.state().holdsPlace() || row.state().isFinal();
    boolean runs = row.state().holdsPlace();
    TaskEnd end = row.end();
    TaskUse use = runs ? live == null ? NOTHING : live : of(end);
    AttemptGpuUtilization load = use.load();
    Sweep sweep = spec == null ? null : spec.terms().array().sweep();
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
        use.peakRssBytes(),
        use.cpuMillis(),
        use.ranMillis(),
        row.preemptions(),
        row.lostMillis(),
        spec == null
            ? null
            : AttemptUsage.cpuPercent(
                use.cpuMillis(), spec.request(row.id().index()).milliCpus(), use.ranMillis()),
        load == null ? null : load.meanPercent(),
        load == null ? null : load.maxPercent(),
        use.gpuPeakBytes(),
        earlier == null ? null : earlier.stream().map(Earlier::of).toList(),
        spec == null ? null : spec.terms().array().indexOf(row.id().index()),
        sweep == null ? null : sweep.values(row.id().index()));
  }

  private static TaskUse of(TaskEnd end) {
    return end == null
        ? NOTHING
        : new TaskUse(
            end.wallMillis(),
            end.cpuMillis(),
            null,
            end.peakRssBytes(),
            end.gpu() == null ? null : end.gpu().peakBytes(),
            end.load());
  }
}
