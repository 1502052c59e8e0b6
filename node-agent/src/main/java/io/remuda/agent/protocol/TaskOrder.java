package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * One attempt that should run on a node.
 *
 * @param attempt which one
 * @param user who asked for the job
 * @param tied whether it ends when the coordinator's lease passes unrenewed
 * @param contactMillis of its own, after which it ends without a word from the coordinator; 0 for
 *     none
 * @param workload what it does
 * @param devices lent to it, by UUID
 * @param threads it may compute with
 * @param cuda whether it may train on a GPU
 * @param job what the task is told of its job
 * @param slot room for one attempt at a time: of several orders with one slot the node follows one
 *     after the other, in the order in which they came; 0 for room of its own
 * @param ending how it is ended, or null for the node's own way, as for built-in workers
 */
public record TaskOrder(
    AttemptId attempt,
    String user,
    boolean tied,
    long contactMillis,
    Workload workload,
    List<DeviceId> devices,
    int threads,
    boolean cuda,
    JobFacts job,
    long slot,
    @JsonInclude(JsonInclude.Include.NON_NULL) Ending ending) {

  /**
   * How an attempt is ended.
   *
   * @param graceMillis from SIGTERM to SIGKILL
   * @param signal number of a signal that its first process gets before, or 0
   * @param signalAfterMillis from its start to that signal
   */
  public record Ending(long graceMillis, int signal, long signalAfterMillis) {}

  /**
   * What a task is told of its job.
   *
   * @param tasks how many it has
   * @param request what each of them was promised
   */
  public record JobFacts(UUID uuid, String name, int tasks, ResourceRequest request) {}

  /** One with room of its own. */
  public TaskOrder(
      AttemptId attempt,
      String user,
      boolean tied,
      long contactMillis,
      Workload workload,
      List<DeviceId> devices,
      int threads,
      boolean cuda,
      JobFacts job) {
    this(attempt, user, tied, contactMillis, workload, devices, threads, cuda, job, 0, null);
  }

  public TaskOrder {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(job, "job");
    devices = List.copyOf(devices);
  }
}
