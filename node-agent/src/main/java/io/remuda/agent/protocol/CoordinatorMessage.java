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
  @JsonSubTypes.Type(value = CoordinatorMessage.EndNode.class, name = "end-node")
})
public sealed interface CoordinatorMessage extends WireMessage {

  /**
   * The agent belongs to the cluster.
   *
   * @param epoch of the leader; orders of a lower one are stale
   * @param leaseMillis how long tied tasks may run after the last {@link Desired}
   * @param sampleMillis telemetry period
   */
  record Welcome(long epoch, long leaseMillis, long sampleMillis) implements CoordinatorMessage {}

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
   */
  record Desired(long epoch, long revision, boolean sampling, List<TaskOrder> tasks)
      implements CoordinatorMessage {
    public Desired {
      tasks = List.copyOf(tasks);
    }
  }

  /** For the worker of an attempt. */
  record ToTask(AttemptId attempt, ToWorker message) implements CoordinatorMessage {}

  /** End every task, the keeper and the agent. */
  record EndNode(String reason, long graceMillis) implements CoordinatorMessage {}
}
