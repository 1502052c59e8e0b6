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
 * The built-in workers of this node, each with an actor that looks after it. Used by the node
 * agent's actor alone.
 */
final class BuiltInWorkers {

  private final ActorContext<?> context;
  private final JobSupervisor.Surroundings surroundings;
  private final Map<AttemptId, ActorRef<JobSupervisor.Command>> supervisors = new HashMap<>();

  /** None yet; their actors are children of {@code context}. */
  BuiltInWorkers(ActorContext<?> context, JobSupervisor.Surroundings surroundings) {
    this.context = context;
    this.surroundings = surroundings;
  }

  boolean has(AttemptId attempt) {
    return supervisors.containsKey(attempt);
  }

  /** Has the keeper of a connection start one. */
  void start(AttemptId attempt, long connection, SpawnRequest request) {
    supervise(attempt, JobSupervisor.start(attempt, connection, request, surroundings));
  }

  /** Takes over one that runs already. */
  void adopt(AttemptId attempt, TaskView task) {
    supervise(attempt, JobSupervisor.adopt(attempt, task, surroundings));
  }

  private void supervise(AttemptId attempt, Behavior<JobSupervisor.Command> behavior) {
    supervisors.put(attempt, context.spawn(behavior, "task-" + attempt, JobSupervisor.PROPS));
  }

  /** Passes something on to the one that looks after this attempt, if there is one. */
  void tell(AttemptId attempt, JobSupervisor.Command command) {
    ActorRef<JobSupervisor.Command> supervisor = supervisors.get(attempt);
    if (supervisor != null) {
      supervisor.tell(command);
    }
  }

  /** A keeper that was joined anew has none but these. */
  void missAllBut(Set<AttemptId> here, String cause) {
    supervisors.forEach(
        (attempt, supervisor) -> {
          if (!here.contains(attempt)) {
            supervisor.tell(new JobSupervisor.Missed(cause));
          }
        });
  }

  /** Nobody looks after this attempt any more. */
  void forget(AttemptId attempt) {
    ActorRef<JobSupervisor.Command> supervisor = supervisors.remove(attempt);
    if (supervisor != null) {
      context.stop(supervisor);
    }
  }
}
