package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.signal.SignalReach;
import io.remuda.worker.protocol.ToWorker;
import java.util.List;
import java.util.Set;

/** A message from the coordinator to an agent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CoordinatorMessage.Welcome.class, name = "welcome"),
  @JsonSubTypes.Type(value = CoordinatorMessage.NotLeader.class, name = "not-leader"),
  @JsonSubTypes.Type(value = CoordinatorMessage.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = CoordinatorMessage.NameTaken.class, name = "name-taken"),
  @JsonSubTypes.Type(value = CoordinatorMessage.Desired.class, name = "desired"),
  @JsonSubTypes.Type(
      value = CoordinatorMessage.DesiredByTemplate.class,
      name = "desired-by-template"),
  @JsonSubTypes.Type(value = CoordinatorMessage.ToTask.class, name = "to-task"),
  @JsonSubTypes.Type(value = CoordinatorMessage.ReadOutput.class, name = "read-output"),
  @JsonSubTypes.Type(value = CoordinatorMessage.GiveBack.class, name = "give-back"),
  @JsonSubTypes.Type(value = CoordinatorMessage.MetricsKept.class, name = "metrics-kept"),
  @JsonSubTypes.Type(value = CoordinatorMessage.EndForeign.class, name = "end-foreign"),
  @JsonSubTypes.Type(value = CoordinatorMessage.KillNow.class, name = "kill-now"),
  @JsonSubTypes.Type(value = CoordinatorMessage.EndNode.class, name = "end-node")
})
public sealed interface CoordinatorMessage extends WireMessage {

  /**
   * The agent is accepted into the cluster.
   *
   * @param epoch epoch of the leader; orders of a lower epoch are stale
   * @param contactMillis how long tied tasks may run after the last {@link Desired}
   * @param sampleMillis telemetry period
   * @param lineage determines which attempts are the coordinator's; the agent leaves others alone
   * @param understands what it can be sent besides: {@link #METRICS}; of an older build nothing
   */
  record Welcome(
      long epoch,
      long contactMillis,
      long sampleMillis,
      StateFileLineage lineage,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<String> understands)
      implements CoordinatorMessage {

    /** It keeps what programs report: {@link AgentMessage.Metrics}. */
    public static final String METRICS = "metrics";

    public Welcome {
      lineage = lineage == null ? StateFileLineage.ALL : lineage;
      understands = understands == null ? Set.of() : Set.copyOf(understands);
    }

    /** Creates the message of a coordinator of this build. */
    public Welcome(long epoch, long contactMillis, long sampleMillis, StateFileLineage lineage) {
      this(epoch, contactMillis, sampleMillis, lineage, Set.of(METRICS));
    }

    /** Creates the message of a coordinator that owns every attempt. */
    public Welcome(long epoch, long contactMillis, long sampleMillis) {
      this(epoch, contactMillis, sampleMillis, StateFileLineage.ALL);
    }
  }

  /**
   * Another coordinator leads; the connection is closed.
   *
   * @param contact {@code HOST:PORT} that agents dial, as in the access file; empty if unknown
   */
  record NotLeader(String contact) implements CoordinatorMessage {}

  /** This agent must not join; dialling again does not help. */
  record Refused(String reason) implements CoordinatorMessage {}

  /** Another agent uses this name. This may pass if that agent is ending. */
  record NameTaken(String node) implements CoordinatorMessage {}

  /**
   * All attempts that should run on the node; the agent ends and forgets all others. Repeated every
   * second; each one renews the contact deadline. The agent drops a message with a lower (epoch,
   * revision) than the highest it has seen.
   *
   * @param tasks complete orders that the node has not reported
   * @param kept attempts that the node has reported, and attempts that a later message orders
   * @param leaving attempts that are to leave their places, in none of the other lists
   */
  record Desired(
      long epoch,
      long revision,
      boolean sampling,
      List<TaskStartOrder> tasks,
      List<Kept> kept,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Leaving> leaving)
      implements CoordinatorMessage {
    public Desired {
      tasks = List.copyOf(tasks);
      kept = List.copyOf(kept);
      leaving = leaving == null ? List.of() : List.copyOf(leaving);
    }

    /** Creates a message from which no attempt is to leave. */
    public Desired(
        long epoch, long revision, boolean sampling, List<TaskStartOrder> tasks, List<Kept> kept) {
      this(epoch, revision, sampling, tasks, kept, List.of());
    }

    /** Creates a message in which every order is complete. */
    public Desired(long epoch, long revision, boolean sampling, List<TaskStartOrder> tasks) {
      this(epoch, revision, sampling, tasks, List.of());
    }
  }

  /**
   * A {@link Desired} with orders, as it travels: what the orders of a job have in common is sent
   * once over a connection. {@link WireFraming} makes and resolves it.
   *
   * @param templates that were not sent before
   */
  record DesiredByTemplate(
      long epoch,
      long revision,
      boolean sampling,
      List<OrderTemplate> templates,
      List<OrderTemplate.ShortOrder> orders,
      List<Kept> kept,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Leaving> leaving)
      implements CoordinatorMessage {
    public DesiredByTemplate {
      templates = List.copyOf(templates);
      orders = List.copyOf(orders);
      kept = List.copyOf(kept);
      leaving = leaving == null ? List.of() : List.copyOf(leaving);
    }
  }

  /**
   * An attempt that is to leave its place and may save its work.
   *
   * @param signal number of the signal that asks; 0 for SIGTERM
   * @param reach which of its processes the signal asks; null is read as {@link SignalReach#FIRST}
   * @param alsoLast whether a training gets the signal in its last epoch, which it else completes
   */
  record Leaving(
      AttemptId attempt,
      int signal,
      @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = SignalReach.LeftOut.class)
          SignalReach reach,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean alsoLast) {

    public Leaving {
      reach = reach == null ? SignalReach.FIRST : reach;
    }

    /** One of which the first process is asked. */
    public Leaving(AttemptId attempt, int signal) {
      this(attempt, signal, SignalReach.FIRST, false);
    }
  }

  /** An attempt that should continue; the fields are as in its {@link TaskStartOrder}. */
  record Kept(AttemptId attempt, boolean tied, long contactMillis, long slot) {
    /** Returns the short form of an order. */
    public static Kept of(TaskStartOrder order) {
      return new Kept(order.attempt(), order.tied(), order.contactMillis(), order.slot());
    }
  }

  /**
   * Requests a part of a task's output, or the use of a channel beside it; the answer is an {@link
   * AgentMessage.Output}.
   *
   * @param id id that the answer repeats
   * @param offset in bytes from the beginning; negative to count from the end
   * @param limit maximum number of bytes, up to {@link AgentMessage.Output#MOST_BYTES}
   * @param tags other tags that the attempt may have on the node
   * @param channel what is asked of a channel, in place of output; null for output. An agent of an
   *     earlier build answers with output
   * @param machine of a client, as {@code PidScope} names it: on the same machine the answer says
   *     where the output lies; null for a client that cannot use that
   */
  record ReadOutput(
      long id,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      List<String> tags,
      @JsonInclude(JsonInclude.Include.NON_NULL) ChannelExchangeRequest channel,
      @JsonInclude(JsonInclude.Include.NON_NULL) String machine)
      implements CoordinatorMessage {
    public ReadOutput {
      tags = tags == null ? List.of() : List.copyOf(tags);
    }

    /** Creates a request for an attempt with a known tag. */
    public ReadOutput(long id, AttemptId attempt, OutputStreamName stream, long offset, int limit) {
      this(id, attempt, stream, offset, limit, List.of(), null);
    }

    /** Creates a request that does not ask where the output lies. */
    public ReadOutput(
        long id,
        AttemptId attempt,
        OutputStreamName stream,
        long offset,
        int limit,
        List<String> tags,
        ChannelExchangeRequest channel) {
      this(id, attempt, stream, offset, limit, tags, channel, null);
    }
  }

  /**
   * What an attempt has reported is kept up to this place; see {@link AgentMessage.Metrics}. Sent
   * only as an answer.
   */
  record MetricsKept(AttemptId attempt, long until) implements CoordinatorMessage {}

  /** Ends an attempt of another state file, on a user's request. */
  record EndForeign(AttemptId attempt) implements CoordinatorMessage {}

  /** Ends attempts that are ending anyway without waiting for the rest of their grace. */
  record KillNow(List<AttemptId> attempts) implements CoordinatorMessage {
    public KillNow {
      attempts = List.copyOf(attempts);
    }
  }

  /** A message for the worker of an attempt. */
  record ToTask(AttemptId attempt, ToWorker message) implements CoordinatorMessage {}

  /**
   * The program of a lease gives its devices back and continues to run. Repeated whenever the
   * program repeats it, until the attempt has ended.
   *
   * @param succeeded whether the program's work with the devices succeeded
   * @param error end of the error text if it failed, or null
   * @param again whether the program would retry with more memory if it lacked memory
   */
  record GiveBack(AttemptId attempt, boolean succeeded, String error, boolean again)
      implements CoordinatorMessage {}

  /** Ends every task, the keeper and the agent. */
  record EndNode(String reason, long graceMillis) implements CoordinatorMessage {}
}
