package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.ToWorker;
import java.util.List;

/** What the coordinator tells an agent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CoordinatorMessage.Welcome.class, name = "welcome"),
  @JsonSubTypes.Type(value = CoordinatorMessage.NotLeader.class, name = "not-leader"),
  @JsonSubTypes.Type(value = CoordinatorMessage.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = CoordinatorMessage.NameTaken.class, name = "name-taken"),
  @JsonSubTypes.Type(value = CoordinatorMessage.Desired.class, name = "desired"),
  @JsonSubTypes.Type(value = CoordinatorMessage.ToTask.class, name = "to-task"),
  @JsonSubTypes.Type(value = CoordinatorMessage.ReadOutput.class, name = "read-output"),
  @JsonSubTypes.Type(value = CoordinatorMessage.GiveBack.class, name = "give-back"),
  @JsonSubTypes.Type(value = CoordinatorMessage.EndForeign.class, name = "end-foreign"),
  @JsonSubTypes.Type(value = CoordinatorMessage.KillNow.class, name = "kill-now"),
  @JsonSubTypes.Type(value = CoordinatorMessage.EndNode.class, name = "end-node")
})
public sealed interface CoordinatorMessage extends WireMessage {

  /**
   * The agent belongs to the cluster.
   *
   * @param epoch of the leader; orders of a lower one are stale
   * @param contactMillis how long tied tasks may run after the last {@link Desired}
   * @param sampleMillis telemetry period
   * @param lineage which attempts are the coordinator's; what else runs on the node is left alone
   */
  record Welcome(long epoch, long contactMillis, long sampleMillis, StateLineage lineage)
      implements CoordinatorMessage {
    public Welcome {
      lineage = lineage == null ? StateLineage.ALL : lineage;
    }

    /** One of a coordinator whose every attempt is. */
    public Welcome(long epoch, long contactMillis, long sampleMillis) {
      this(epoch, contactMillis, sampleMillis, StateLineage.ALL);
    }
  }

  /** Another coordinator leads. */
  record NotLeader(String contact) implements CoordinatorMessage {}

  /** This agent must not join; dialling again does not help. */
  record Refused(String reason) implements CoordinatorMessage {}

  /** Another agent has this name now; that may pass, if it is one that is just ending. */
  record NameTaken(String node) implements CoordinatorMessage {}

  /**
   * All that should run on the node. Attempts that are not in it are to be ended and forgotten. It
   * is repeated every second, renews the lease, and one with a lower (epoch, revision) than seen
   * before is dropped.
   *
   * @param tasks those that the node has not said it holds, with all that it must know
   * @param kept those that it has said it holds, and those of which it is told all later
   */
  record Desired(
      long epoch, long revision, boolean sampling, List<TaskOrder> tasks, List<Kept> kept)
      implements CoordinatorMessage {
    public Desired {
      tasks = List.copyOf(tasks);
      kept = List.copyOf(kept);
    }

    /** One in which every order is spelt out. */
    public Desired(long epoch, long revision, boolean sampling, List<TaskOrder> tasks) {
      this(epoch, revision, sampling, tasks, List.of());
    }
  }

  /** An attempt that goes on; the others as in its {@link TaskOrder}. */
  record Kept(AttemptId attempt, boolean tied, long contactMillis, long slot) {
    /** Of an order that was followed. */
    public static Kept of(TaskOrder order) {
      return new Kept(order.attempt(), order.tied(), order.contactMillis(), order.slot());
    }
  }

  /**
   * Asks for a part of what a task has printed; the answer is {@link AgentMessage.Output}.
   *
   * @param id comes back with the answer
   * @param offset in bytes from the beginning; negative to count from the end
   * @param limit at most so many bytes, up to {@link AgentMessage.Output#MOST_BYTES}
   * @param tags of the same attempt, under which it may be found if it is not as named
   */
  record ReadOutput(
      long id,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      List<String> tags)
      implements CoordinatorMessage {
    public ReadOutput {
      tags = tags == null ? List.of() : List.copyOf(tags);
    }

    /** One for an attempt whose tag is known. */
    public ReadOutput(long id, AttemptId attempt, OutputStreamName stream, long offset, int limit) {
      this(id, attempt, stream, offset, limit, List.of());
    }
  }

  /** People have it ended, though it is an attempt of another state file. */
  record EndForeign(AttemptId attempt) implements CoordinatorMessage {}

  /** Ends attempts that are ending anyway without waiting for the rest of their grace. */
  record KillNow(List<AttemptId> attempts) implements CoordinatorMessage {
    public KillNow {
      attempts = List.copyOf(attempts);
    }
  }

  /** For the worker of an attempt. */
  record ToTask(AttemptId attempt, ToWorker message) implements CoordinatorMessage {}

  /**
   * The program of a lease gives its devices back and runs on; repeated as often as the program
   * says it, until the attempt has ended.
   *
   * @param succeeded whether what it had them for went well
   * @param error the last words of what did not, or null
   * @param again whether the program would try again with more memory, if it was that
   */
  record GiveBack(AttemptId attempt, boolean succeeded, String error, boolean again)
      implements CoordinatorMessage {}

  /** End every task, the keeper and the agent. */
  record EndNode(String reason, long graceMillis) implements CoordinatorMessage {}
}
