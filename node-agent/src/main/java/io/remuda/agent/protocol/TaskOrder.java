package io.remuda.agent.protocol;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Objects;

/**
 * One attempt that should run on a node.
 *
 * @param attempt which one
 * @param user who asked for the job
 * @param tied whether it ends when the coordinator's lease passes unrenewed
 * @param workload what it does
 * @param devices lent to it, by UUID
 * @param threads it may compute with
 * @param cuda whether it may train on a GPU
 */
public record TaskOrder(
    AttemptId attempt,
    String user,
    boolean tied,
    Workload workload,
    List<DeviceId> devices,
    int threads,
    boolean cuda) {

  public TaskOrder {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(workload, "workload");
    devices = List.copyOf(devices);
  }
}
