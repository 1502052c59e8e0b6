package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.CoordinatorMessage.Leaving;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.job.DeviceLeaseDecisions;
import io.remuda.coordinator.job.EndedJobEviction;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.node.AgentConnections;
import io.remuda.coordinator.node.WorkerEventRelay;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.signal.SignalReach;
import java.util.ArrayList;
import java.util.List;

/** Carries out the effects of decisions. Used only by the coordinator's actor. */
final class EffectInterpreter {

  private final TaskRegistry tasks;
  private final AgentConnections connections;
  private final WorkerEventRelay workers;
  private final DeviceLeaseDecisions leases;
  private final EndedJobEviction endedJobs;
  private final ClusterSubscribers subscribers;

  EffectInterpreter(
      TaskRegistry tasks,
      AgentConnections connections,
      WorkerEventRelay workers,
      DeviceLeaseDecisions leases,
      EndedJobEviction endedJobs,
      ClusterSubscribers subscribers) {
    this.tasks = tasks;
    this.connections = connections;
    this.workers = workers;
    this.leases = leases;
    this.endedJobs = endedJobs;
    this.subscribers = subscribers;
  }

  /** Returns the effects of task changes that have just been made, for when these are durable. */
  List<Effect> of(List<TaskChange> changes) {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<Effect> effects = new ArrayList<>(changes.size() + 1);
    for (TaskChange change : changes) {
      boolean starts = change.trigger() == TaskTrigger.PLACED;
      effects.add(
          new Effect.TaskMoved(
              change,
              starts ? tasks.placed(change.attempt()).map(tasks::order).orElse(null) : null));
    }
    effects.add(new Effect.TasksSettled(changes));
    return effects;
  }

  /** Carries out effects that need not wait for the disk. */
  void carryOut(List<Effect> effects, long now) {
    for (Effect effect : effects) {
      carryOut(effect, now);
    }
  }

  /** Carries out the effects of a commit, and sends the orders that they have changed. */
  void carryOutCommitted(List<Effect> effects, long now) {
    carryOut(effects, now);
    connections.orderChanged();
  }

  private void carryOut(Effect effect, long now) {
    if (effect instanceof Effect.Tell<?> tell) {
      tell.send();
    } else if (effect instanceof Effect.TaskMoved moved) {
      taskMoved(moved);
    } else if (effect instanceof Effect.TasksSettled settled) {
      carryOut(leases.moved(settled.changes(), now), now);
      endedJobs.drop(settled.changes());
    } else if (effect instanceof Effect.SendToNode send) {
      connections.tell(send.node(), send.message());
    } else if (effect instanceof Effect.SendDesired send) {
      connections.endLatecomer(send.node());
      connections.order(send.node());
    } else if (effect instanceof Effect.TellFollower tell) {
      subscribers.tellFollower(tell.event());
    } else if (effect instanceof Effect.NodeJoined joined) {
      subscribers.joined(joined.node(), joined.again());
    } else if (effect instanceof Effect.NodeSilent silent) {
      subscribers.silent(silent.node(), silent.cause());
    } else if (effect instanceof Effect.NodeStandsStill still) {
      subscribers.standsStill(still.node(), still.now());
    } else {
      throw new IllegalStateException("no rule for " + effect);
    }
  }

  private void taskMoved(Effect.TaskMoved moved) {
    TaskChange change = moved.change();
    if (moved.order() != null) {
      connections.add(change.node(), moved.order());
    } else if (change.to() == TaskState.STOPPING) {
      connections.leave(change.node(), leaving(change.attempt()));
    } else if (change.node() != null && change.trigger() == TaskTrigger.FINISHED) {
      connections.forget(change.node(), change.attempt());
    } else if (change.node() != null && !shouldRun(change.to())) {
      connections.remove(change.node(), change.attempt());
    }
    if (!change.to().holdsPlace()) {
      workers.over(change.attempt());
    }
    subscribers.moved(change);
  }

  /** Adds the running tasks of an earlier coordinator to the nodes' orders. */
  void goOn() {
    for (PlacedTask task : tasks.placed()) {
      if (shouldRun(task.state())) {
        connections.add(task.place().node(), tasks.order(task));
      } else if (task.state() == TaskState.STOPPING) {
        connections.leave(task.place().node(), leaving(task.attemptId()));
      }
    }
  }

  /** Returns the order by which an attempt is asked to leave. */
  private Leaving leaving(AttemptId attempt) {
    JobTerms job = tasks.job(attempt.task().job()).map(JobSpec::terms).orElse(JobTerms.USUAL);
    PreemptionTerms terms = job.preemption();
    boolean chosen = terms != null && terms.signal() != null;
    return new Leaving(
        attempt,
        chosen ? terms.signalNumber() : 0,
        chosen ? terms.reach() : SignalReach.FIRST,
        job.qos() == Qos.SCAVENGER);
  }

  private static boolean shouldRun(TaskState state) {
    return state.holdsPlace() && !state.isLeaving();
  }
}
