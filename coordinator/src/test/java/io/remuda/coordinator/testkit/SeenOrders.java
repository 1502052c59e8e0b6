package io.remuda.coordinator.testkit;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskChange;
import java.util.List;
import java.util.function.ToLongFunction;

/** A cycle after which each node sees its new orders. */
public final class SeenOrders {

  private SeenOrders() {}

  /** Plans and applies one cycle; nodes see their orders in revision 1. */
  public static List<TaskChange> schedule(TaskRegistry tasks, NodeRegistry nodes, long now) {
    return schedule(tasks, nodes, node -> 1, now);
  }

  /**
   * Plans and applies one cycle.
   *
   * @param nextRevision returns the revision in which a node first sees a new order
   */
  public static List<TaskChange> schedule(
      TaskRegistry tasks, NodeRegistry nodes, ToLongFunction<String> nextRevision, long now) {
    List<TaskChange> changes = tasks.schedule(nodes.all(), now);
    changes.stream()
        .filter(change -> !change.from().holdsPlace() && change.to().holdsPlace())
        .forEach(
            change -> tasks.ordered(change.attempt(), nextRevision.applyAsLong(change.node())));
    return changes;
  }
}
