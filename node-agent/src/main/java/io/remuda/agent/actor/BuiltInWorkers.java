package io.remuda.agent.actor;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.worker.job.AttemptId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The built-in workers of this node, each with a supervisor actor. Used only by the node agent's
 * actor.
 */
final class BuiltInWorkers {

  private final ActorContext<?> context;
  private final BuiltInWorkerSupervisor.Surroundings surroundings;
  private final Map<AttemptId, ActorRef<BuiltInWorkerSupervisor.Command>> supervisors =
      new HashMap<>();

  /**
   * @param context parent of the supervisors
   */
  BuiltInWorkers(ActorContext<?> context, BuiltInWorkerSupervisor.Surroundings surroundings) {
    this.context = context;
    this.surroundings = surroundings;
  }

  boolean has(AttemptId attempt) {
    return supervisors.containsKey(attempt);
  }

  /** Starts a worker by the keeper of this connection. */
  void start(AttemptId attempt, long connection, SpawnRequest request) {
    supervise(attempt, BuiltInWorkerSupervisor.start(attempt, connection, request, surroundings));
  }

  /** Takes over a running worker. */
  void adopt(AttemptId attempt, TaskView task) {
    supervise(attempt, BuiltInWorkerSupervisor.adopt(attempt, task, surroundings));
  }

  private void supervise(AttemptId attempt, Behavior<BuiltInWorkerSupervisor.Command> behavior) {
    supervisors.put(
        attempt, context.spawn(behavior, "task-" + attempt, BuiltInWorkerSupervisor.PROPS));
  }

  /** Passes a command to the supervisor of an attempt; does nothing if there is none. */
  void tell(AttemptId attempt, BuiltInWorkerSupervisor.Command command) {
    ActorRef<BuiltInWorkerSupervisor.Command> supervisor = supervisors.get(attempt);
    if (supervisor != null) {
      supervisor.tell(command);
    }
  }

  /** Notifies the workers that a newly joined keeper does not have. */
  void missAllBut(Set<AttemptId> here, String cause) {
    supervisors.forEach(
        (attempt, supervisor) -> {
          if (!here.contains(attempt)) {
            supervisor.tell(new BuiltInWorkerSupervisor.Missed(cause));
          }
        });
  }

  /** Stops the supervisor of an attempt. */
  void forget(AttemptId attempt) {
    ActorRef<BuiltInWorkerSupervisor.Command> supervisor = supervisors.remove(attempt);
    if (supervisor != null) {
      context.stop(supervisor);
    }
  }
}
