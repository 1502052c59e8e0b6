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
 * What follows from changes of tasks: nodes get other orders, workers that are over are answered no
 * more, jobs that are over are forgotten, and the audience is told. Used by the coordinator's actor
 * alone.
 */
final class CommittedEffects {

  /** A change and, for one that starts an attempt, its order as it was then. */
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

  /** Another one that is told of changes, while all is known of the jobs that end with them. */
  void alsoTell(Consumer<List<TaskChange>> other) {
    further = other;
  }

  /** Has the nodes go on with what an earlier coordinator has left. */
  void goOn() {
    for (TaskRecord task : tasks.placed()) {
      if (shouldRun(task.state())) {
        connections.add(task.place().node(), tasks.order(task));
      }
    }
  }

  /**
   * All that is to happen once changes that were just made are durable.
   *
   * @param then happens after what follows from the tasks, and before nodes are told
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
