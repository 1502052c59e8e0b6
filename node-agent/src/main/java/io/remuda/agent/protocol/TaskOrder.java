package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * One attempt that should run on a node.
 *
 * @param attempt id of the attempt
 * @param user submitter of the job
 * @param tied whether it ends when the coordinator's contact deadline passes
 * @param contactMillis its own contact deadline: it ends after this time without a message from the
 *     coordinator; 0 for none
 * @param workload what it runs
 * @param devices UUIDs of its devices
 * @param threads number of threads for computation
 * @param cuda whether it may train on a GPU
 * @param job facts about its job that the task receives
 * @param slot place on the node for one attempt at a time. The node runs the orders of a slot one
 *     after the other, in order of arrival; 0 to start at once
 * @param ending how it is ended, or null for the node's own way, as for built-in workers
 * @param training what a user's training is told about itself; null for others
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
    @JsonInclude(JsonInclude.Include.NON_NULL) Ending ending,
    @JsonInclude(JsonInclude.Include.NON_NULL) Training training) {

  /**
   * How an attempt is ended.
   *
   * @param graceMillis from SIGTERM to SIGKILL
   * @param signal number of a signal that its first process gets before, or 0
   * @param signalAfterMillis from its start to that signal
   */
  public record Ending(long graceMillis, int signal, long signalAfterMillis) {}

  /**
   * What a training is told about itself.
   *
   * @param epochsDone number of epochs that earlier attempts have done
   * @param longestMillis duration of the longest epoch that is known, 0 if none is
   */
  public record Training(TrainingTerms terms, int epochsDone, long longestMillis) {
    public Training {
      Objects.requireNonNull(terms, "terms");
    }
  }

  /**
   * Facts about its job that a task receives.
   *
   * @param tasks number of its tasks
   * @param request resources promised to the task
   * @param gang how its tasks belong together, or null
   * @param start of its gang, or null
   */
  public record JobFacts(
      UUID uuid,
      String name,
      int tasks,
      ResourceRequest request,
      @JsonInclude(JsonInclude.Include.NON_NULL) GangTerms gang,
      @JsonInclude(JsonInclude.Include.NON_NULL) GangStart start) {

    /** Facts of a job whose tasks know nothing of each other. */
    public JobFacts(UUID uuid, String name, int tasks, ResourceRequest request) {
      this(uuid, name, tasks, request, null, null);
    }
  }

  /** Creates an order that starts at once. */
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
    this(attempt, user, tied, contactMillis, workload, devices, threads, cuda, job, 0, null, null);
  }

  /** Returns a copy with another workload. */
  public TaskOrder with(Workload other) {
    return new TaskOrder(
        attempt,
        user,
        tied,
        contactMillis,
        other,
        devices,
        threads,
        cuda,
        job,
        slot,
        ending,
        training);
  }

  public TaskOrder {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(job, "job");
    devices = List.copyOf(devices);
  }
}
