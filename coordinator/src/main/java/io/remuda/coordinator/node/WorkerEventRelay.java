package io.remuda.coordinator.node;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.ClusterEvent;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes messages between built-in workers and their run. Each worker event is acknowledged every
 * time it arrives and forwarded once; an answer to a worker is repeated with each tick until the
 * worker asks for the next items. Used only by the coordinator's actor.
 */
public final class WorkerEventRelay {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerEventRelay.class);

  private final TaskRegistry tasks;
  private final Map<AttemptId, ToWorker> answers = new HashMap<>();

  public WorkerEventRelay(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  /** Acknowledges a worker's event, and forwards it if it is new. */
  public Decision heard(AgentMessage.TaskHappened happened) {
    AttemptId attempt = happened.attempt();
    return switch (tasks.heard(attempt, happened.sequence(), happened.event())) {
      case NEW -> {
        if (happened.event() instanceof WorkerEvent.ItemsWanted) {
          answers.remove(attempt);
        }
        List<Effect> effects = new ArrayList<>(acknowledgement(happened));
        effects.add(
            new Effect.TellFollower(
                new ClusterEvent.WorkerTold(attempt, happened.sequence(), happened.event())));
        yield Decision.atOnce(effects);
      }
      case REPEATED -> Decision.atOnce(acknowledgement(happened));
      case DROPPED -> {
        LOG.debug("dropped {} of {}", happened, attempt);
        yield Decision.NONE;
      }
    };
  }

  private List<Effect> acknowledgement(AgentMessage.TaskHappened happened) {
    return sent(happened.attempt(), new ToWorker.Acknowledged(happened.sequence()));
  }

  /** Sends a worker the items that it has asked for. */
  public Decision answer(CoordinatorCommand.Answer command) {
    if (tasks.placed(command.attempt()).isPresent()) {
      answers.put(command.attempt(), command.message());
    }
    return Decision.atOnce(sent(command.attempt(), command.message()));
  }

  /** Sends all open answers again. */
  public Decision repeat() {
    List<Effect> effects = new ArrayList<>();
    answers.forEach((attempt, message) -> effects.addAll(sent(attempt, message)));
    return Decision.atOnce(effects);
  }

  /** Drops the open answer of an attempt that has ended. */
  public void over(AttemptId attempt) {
    answers.remove(attempt);
  }

  private List<Effect> sent(AttemptId attempt, ToWorker message) {
    return tasks
        .placed(attempt)
        .<Effect>map(
            task ->
                new Effect.SendToNode(
                    task.place().node(), new CoordinatorMessage.ToTask(attempt, message)))
        .stream()
        .toList();
  }
}
