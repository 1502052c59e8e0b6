package io.remuda.coordinator.node;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.AttemptId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Requests for output that were sent to agents and wait for an answer; after a timeout they are
 * dropped. Single-threaded.
 */
public final class PendingOutputReads {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * @param what of which a fault says that there is none
   * @param starts whether the task had a place, and was not seen running
   */
  private record Asked(
      ActorRef<Reply<AgentMessage.Output>> replyTo, String what, boolean starts, long at) {}

  private final AgentConnections connections;
  private final TaskRegistry tasks;
  private final StateFileLineage lineage;
  private final Map<Long, Asked> open = new HashMap<>();
  private long last;

  /**
   * @param lineage the state files in which earlier attempts may have been placed
   */
  public PendingOutputReads(
      AgentConnections connections, TaskRegistry tasks, StateFileLineage lineage) {
    this.connections = connections;
    this.tasks = tasks;
    this.lineage = lineage;
  }

  /** Asks the node for output, or rejects the request if the node is not connected. */
  public Decision ask(CoordinatorCommand.ReadOutput question, long now) {
    if (!connections.isConnected(question.node())) {
      return Decision.refuse(question.replyTo(), unreachable(question.node()));
    }
    boolean ofOutput = question.channel() == null;
    boolean starts =
        ofOutput
            && tasks
                .placed(question.attempt())
                .filter(task -> task.state() == TaskState.STARTING)
                .isPresent();
    open.put(++last, new Asked(question.replyTo(), ofOutput ? "no output: " : "", starts, now));
    return Decision.atOnce(
        List.of(
            new Effect.SendToNode(
                question.node(),
                new CoordinatorMessage.ReadOutput(
                    last,
                    question.attempt(),
                    question.stream(),
                    question.offset(),
                    question.limit(),
                    tags(question.attempt()),
                    question.channel(),
                    question.machine()))));
  }

  /**
   * Returns the other tags that an attempt without a place may have: for earlier attempts of a task
   * only the state file of the last one is known.
   */
  private List<String> tags(AttemptId attempt) {
    if (tasks.placed(attempt).isPresent()) {
      return List.of();
    }
    return lineage.birthsOf(attempt.task().job()).stream()
        .map(attempt::tagIn)
        .filter(tag -> !tag.equals(attempt.tag()))
        .toList();
  }

  private static Rejection unreachable(String node) {
    return Rejection.of(
        Rejection.Code.UNREACHABLE, "node " + node + " does not answer; its output is there");
  }

  /** Passes the node's answer on, unless it comes after the timeout. */
  public Decision answered(AgentMessage.Output output) {
    Asked asked = open.remove(output.id());
    if (asked == null) {
      return Decision.NONE;
    }
    if (output.fault() != null && asked.starts()) {
      return Decision.answer(asked.replyTo(), Reply.of(nothingYet(output.id())));
    }
    return Decision.answer(
        asked.replyTo(),
        output.fault() == null
            ? Reply.of(output)
            : Reply.no(Rejection.of(Rejection.Code.NOT_FOUND, asked.what() + output.fault())));
  }

  /** The node has made no file for the task yet. */
  private static AgentMessage.Output nothingYet(long id) {
    return new AgentMessage.Output(id, 0, new byte[0], 0, 0, null);
  }

  /** Drops requests after their timeout. */
  public void tick(long now) {
    open.values().removeIf(asked -> now - asked.at() > PATIENCE.toNanos());
  }
}
