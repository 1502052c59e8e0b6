package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes messages between built-in workers and their run. Each worker event is acknowledged every
 * time it arrives and forwarded once; an answer to a worker is repeated with each tick until the
 * worker asks for the next items. Used only by the coordinator's actor.
 */
final class WorkerEvents {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerEvents.class);

  private final TaskRegistry tasks;
  private final AgentConnections connections;
  private final Map<AttemptId, ToWorker> answers = new HashMap<>();

  WorkerEvents(TaskRegistry tasks, AgentConnections connections) {
    this.tasks = tasks;
    this.connections = connections;
  }

  /** Acknowledges a worker's event and returns what to forward, empty if it is not a new event. */
  Optional<ClusterEvent.WorkerTold> heard(AgentMessage.TaskHappened happened) {
    AttemptId attempt = happened.attempt();
    return switch (tasks.heard(attempt, happened.sequence(), happened.event())) {
      case NEW -> {
        if (happened.event() instanceof WorkerEvent.ItemsWanted) {
          answers.remove(attempt);
        }
        acknowledge(happened);
        yield Optional.of(
            new ClusterEvent.WorkerTold(attempt, happened.sequence(), happened.event()));
      }
      case REPEATED -> {
        acknowledge(happened);
        yield Optional.empty();
      }
      case DROPPED -> {
        LOG.debug("dropped {} of {}", happened, attempt);
        yield Optional.empty();
      }
    };
  }

  private void acknowledge(AgentMessage.TaskHappened happened) {
    send(happened.attempt(), new ToWorker.Acknowledged(happened.sequence()));
  }

  /** Sends a worker the items that it has asked for. */
  void answer(AttemptId attempt, ToWorker message) {
    if (tasks.isPlaced(attempt)) {
      answers.put(attempt, message);
    }
    send(attempt, message);
  }

  /** Sends all open answers again. */
  void repeat() {
    answers.forEach(this::send);
  }

  /** Drops the open answer of an attempt that has ended. */
  void over(AttemptId attempt) {
    answers.remove(attempt);
  }

  private void send(AttemptId attempt, ToWorker message) {
    tasks
        .find(attempt.task())
        .filter(task -> task.place() != null && task.attempt() == attempt.attempt())
        .ifPresent(
            task ->
                connections.tell(
                    task.place().node(), new CoordinatorMessage.ToTask(attempt, message)));
  }
}
