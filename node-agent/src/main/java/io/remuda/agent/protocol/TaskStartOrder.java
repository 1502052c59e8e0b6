package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.job.Workload;
import io.remuda.worker.job.signal.SignalReach;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.stream.StreamPathVariables;
import io.remuda.worker.job.sweep.SweepAxis;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * @param parameters what the task has for itself, with which its command is {@link #command
 *     filled}; null if all tasks of its job are alike
 */
public record TaskStartOrder(
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
    @JsonInclude(JsonInclude.Include.NON_NULL) Training training,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskParameters parameters) {

  /**
   * How an attempt is ended.
   *
   * @param graceMillis from SIGTERM to SIGKILL
   * @param signal number of a signal that it gets before, or 0
   * @param signalAfterMillis from its start to that signal
   * @param reach which of its processes get the signal; null is read as {@link SignalReach#FIRST}
   */
  public record Ending(
      long graceMillis,
      int signal,
      long signalAfterMillis,
      @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = SignalReach.LeftOut.class)
          SignalReach reach) {

    public Ending {
      reach = reach == null ? SignalReach.FIRST : reach;
    }

    /** One whose signal is for the first process. */
    public Ending(long graceMillis, int signal, long signalAfterMillis) {
      this(graceMillis, signal, signalAfterMillis, SignalReach.FIRST);
    }
  }

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
   * @param numbered whether each task has a number of its own among those of jobs: those that
   *     follow the job's own, in the order of the tasks
   * @param earlierTries how many attempts of the task may have begun before this one, if that is
   *     not one for each lower number: null; an attempt may be refused before it begins
   */
  public record JobFacts(
      UUID uuid,
      String name,
      int tasks,
      ResourceRequest request,
      @JsonInclude(JsonInclude.Include.NON_NULL) GangTerms gang,
      @JsonInclude(JsonInclude.Include.NON_NULL) GangStart start,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean numbered,
      @JsonInclude(JsonInclude.Include.NON_NULL) Integer earlierTries) {

    /** Facts of a job of whose task each attempt before may have begun. */
    public JobFacts(
        UUID uuid,
        String name,
        int tasks,
        ResourceRequest request,
        GangTerms gang,
        GangStart start,
        boolean numbered) {
      this(uuid, name, tasks, request, gang, start, numbered, null);
    }

    /** Facts of a job whose tasks have no numbers of their own. */
    public JobFacts(
        UUID uuid,
        String name,
        int tasks,
        ResourceRequest request,
        GangTerms gang,
        GangStart start) {
      this(uuid, name, tasks, request, gang, start, false);
    }

    /** Facts of a job whose tasks know nothing of each other. */
    public JobFacts(UUID uuid, String name, int tasks, ResourceRequest request) {
      this(uuid, name, tasks, request, null, null);
    }
  }

  /** Returns the number by which commands know its task, or its whole job if it has none. */
  public long number() {
    return attempt.task().job().value() + (job.numbered() ? 1 + attempt.task().index() : 0);
  }

  private static final String INDEX = "REMUDA_TASK_INDEX";
  private static final String COUNT = "REMUDA_TASK_COUNT";

  /** Creates an order that starts at once. */
  public TaskStartOrder(
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

  /** Creates the order of a task that is like the others of its job. */
  public TaskStartOrder(
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
      Ending ending,
      Training training) {
    this(
        attempt,
        user,
        tied,
        contactMillis,
        workload,
        devices,
        threads,
        cuda,
        job,
        slot,
        ending,
        training,
        null);
  }

  /** Returns a copy with another workload. */
  public TaskStartOrder with(Workload other) {
    return new TaskStartOrder(
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
        training,
        parameters);
  }

  public TaskStartOrder {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(job, "job");
    devices = List.copyOf(devices);
  }

  /** Returns how many attempts of the task may have begun before this one. */
  public int triesBefore() {
    return job.earlierTries() == null ? attempt.attempt() - 1 : job.earlierTries();
  }

  /** Returns the user's command with what the task has for itself. */
  public CommandWorkload command() {
    CommandWorkload alike = (CommandWorkload) workload;
    return parameters == null ? alike : alike.filled(parameters);
  }

  /** Returns what stands in the paths of its streams on a node. */
  public StreamPathVariables pathVariables(String node) {
    TaskId task = attempt.task();
    String index = Integer.toString(task.index());
    return new StreamPathVariables(
        task.job().value(),
        number(),
        task.index(),
        parameters == null ? index : parameters.variables().getOrDefault(SweepAxis.INDEX, index),
        node,
        job.name(),
        parameters == null ? Map.of() : parameters.values());
  }

  /**
   * Returns an order for a node of an earlier build, which knows no widths in the paths of streams,
   * no number of a task's own, and no file that it may do without: it keeps that output itself.
   *
   * @param node that it is for
   */
  public TaskStartOrder withPlainStreams(String node) {
    if (!(workload instanceof CommandWorkload command) || command.streams() == null) {
      return this;
    }
    StandardStreamTerms terms = command.streams().withoutOptional();
    StandardStreamTerms plain = terms == null ? null : terms.with(pathVariables(node)::plain);
    return command.streams().equals(plain) ? this : with(command.withStreams(plain));
  }

  /** Returns about how many bytes its command takes in a message; 0 for other work. */
  public long commandSize() {
    long own = parameters == null ? 0 : parameters.size();
    return workload instanceof CommandWorkload command ? command.size() + own : 0;
  }

  /**
   * Returns an order without parameters that does the same, for a node that knows none. What the
   * node sets itself is set once more by {@code env}, behind it.
   */
  public TaskStartOrder withoutParameters() {
    if (parameters == null) {
      return this;
    }
    CommandWorkload filled = command();
    Map<String, String> variables = new HashMap<>(filled.environment());
    variables.putAll(parameters.variables());
    List<String> words = new ArrayList<>();
    if (parameters.variables().containsKey(INDEX)) {
      words.add("/usr/bin/env");
      List.of(INDEX, COUNT)
          .forEach(name -> words.add(name + "=" + parameters.variables().get(name)));
    }
    words.addAll(filled.argv());
    return new TaskStartOrder(
        attempt,
        user,
        tied,
        contactMillis,
        new CommandWorkload(words, variables, filled.folder(), filled.umask(), filled.container()),
        devices,
        threads,
        cuda,
        job,
        slot,
        ending,
        training);
  }
}
