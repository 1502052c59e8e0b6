package io.remuda.coordinator.registry;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.forecast.ForecastRecords;
import io.remuda.coordinator.registry.forecast.RecentDurations;
import io.remuda.coordinator.registry.policy.FailingNodes;
import io.remuda.coordinator.registry.task.Place;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.CommandWorkload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Places short tasks in slots where tasks of their class run, to follow these without a message to
 * the coordinator in between. Single-threaded.
 */
final class ShortTaskQueues {

  private record SlotLine(String node, long slot, int tasks) {}

  private final TaskTable table;
  private final TaskTransitions transitions;
  private final RecentDurations durations;
  private final FailingNodes failingNodes;
  private final ForecastRecords forecasts;

  ShortTaskQueues(
      TaskTable table,
      TaskTransitions transitions,
      RecentDurations durations,
      FailingNodes failingNodes,
      ForecastRecords forecasts) {
    this.table = table;
    this.transitions = transitions;
    this.durations = durations;
    this.failingNodes = failingNodes;
    this.forecasts = forecasts;
  }

  /**
   * Places tasks of a class ahead.
   *
   * @param key of the next class that waits for capacity, or null
   */
  List<TaskChange> placeAhead(
      TaskClass.SchedulingKey key, List<NodeRegistry.Node> nodes, long now) {
    int most = key == null ? 0 : durations.tasksOfSlot(key);
    TaskSet waiting = table.lines(now).get(key);
    if (most < 2 || waiting == null) {
      return List.of();
    }
    List<TaskChange> changes = new ArrayList<>();
    PriorityQueue<SlotLine> queues = queues(nodes, key, now);
    while (!queues.isEmpty() && !waiting.isEmpty()) {
      SlotLine shortest = queues.poll();
      if (shortest.tasks() < most) {
        Place place = Place.at(shortest.node(), List.of(), shortest.slot(), 0);
        forecasts.started(waiting.first().job(), now);
        changes.add(transitions.place(waiting.first(), place, now));
        queues.add(new SlotLine(shortest.node(), shortest.slot(), shortest.tasks() + 1));
      }
    }
    return changes;
  }

  /** Returns whether it is a command, which is started by the node. */
  private boolean isCommand(TaskRecord task) {
    return table.spec(task).tasks().get(task.id().index()) instanceof CommandWorkload;
  }

  /** Returns whether a task of the slot makes room for another job. */
  private boolean isLeaving(long slot) {
    return table.inSlot(slot).stream()
        .anyMatch(task -> table.find(task).state() == TaskState.STOPPING);
  }

  private PriorityQueue<SlotLine> queues(
      List<NodeRegistry.Node> nodes, TaskClass.SchedulingKey key, long now) {
    PriorityQueue<SlotLine> queues =
        new PriorityQueue<>(
            Comparator.comparingInt(SlotLine::tasks).thenComparingLong(SlotLine::slot));
    for (NodeRegistry.Node node : nodes) {
      if (node.takesTasks() && failingNodes.pause(node.name(), now).isEmpty()) {
        table
            .slots(node.name())
            .forEach(
                (slot, first) -> {
                  if (table.key(first).equals(key) && isCommand(first) && !isLeaving(slot)) {
                    queues.add(new SlotLine(node.name(), slot, table.inSlot(slot).size()));
                  }
                });
      }
    }
    return queues;
  }
}
