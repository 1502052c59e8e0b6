package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.TaskOrder;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.TaskChange;
import io.remuda.coordinator.registry.TaskRecord;
import io.remuda.coordinator.registry.TaskRegistry;
import java.util.List;
import java.util.function.Consumer;

/**
 * The effects of committed task changes: updates the nodes' orders, drops open answers to ended
 * workers, removes ended jobs, and notifies the subscribers. Used only by the coordinator's actor.
 */
final class CommittedEffects {

  /** A change and, if it starts an attempt, the order at that time. */
  private record Effect(TaskChange change, TaskOrder order) {}

  private final TaskRegistry tasks;
  private final JobAdmission admission;
  private final AgentConnections connections;
  private final WorkerEvents workers;
  private final ClusterSubscribers subscribers;
  private Consumer<List<TaskChange>> further = changes -> {};

  CommittedEffects(
      TaskRegistry tasks,
      JobAdmission admission,
      AgentConnections connections,
      WorkerEvents workers,
      ClusterSubscribers subscribers) {
    this.tasks = tasks;
    this.admission = admission;
    this.connections = connections;
    this.workers = workers;
    this.subscribers = subscribers;
  }

  /** Sets a further receiver of changes; it is called before ended jobs are removed. */
  void alsoTell(Consumer<List<TaskChange>> other) {
    further = other;
  }

  /** Adds the running tasks of an earlier coordinator to the nodes' orders. */
  void goOn() {
    for (TaskRecord task : tasks.placed()) {
      if (shouldRun(task.state())) {
        connections.add(task.place().node(), tasks.order(task));
      }
    }
  }

  /**
   * Returns the effects of changes that were just made, to be run once these are durable.
   *
   * @param then runs after the effects of the tasks and before orders are sent
   */
  Runnable of(List<TaskChange> changes, Runnable then) {
    List<Effect> effects = changes.stream().map(this::effect).toList();
    return () -> {
      effects.forEach(this::happen);
      further.accept(changes);
      admission.dropEnded(changes);
      then.run();
      connections.orderChanged();
    };
  }

  private Effect effect(TaskChange change) {
    boolean starts = change.trigger() == TaskTrigger.PLACED;
    return new Effect(
        change, starts ? tasks.find(change.attempt().task()).map(tasks::order).orElse(null) : null);
  }

  private void happen(Effect effect) {
    TaskChange change = effect.change();
    if (effect.order() != null) {
      connections.add(change.node(), effect.order());
    } else if (change.node() != null && !shouldRun(change.to())) {
      connections.remove(change.node(), change.attempt());
    }
    if (!change.to().holdsPlace()) {
      workers.over(change.attempt());
    }
    subscribers.moved(change);
  }

  private static boolean shouldRun(TaskState state) {
    return state.holdsPlace() && state != TaskState.ENDING;
  }
}
