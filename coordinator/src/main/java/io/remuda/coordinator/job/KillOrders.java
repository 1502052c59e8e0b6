package io.remuda.coordinator.job;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells nodes to kill tasks that end without their grace. Not durable: after another server has
 * taken over, tasks that did not know yet that they end have it.
 */
final class KillOrders {

  private final TaskRegistry tasks;

  /** Jobs that end without grace, and of which tasks have yet to learn that they end. */
  private final Set<JobId> following = new HashSet<>();

  KillOrders(TaskRegistry tasks) {
    this.tasks = tasks;
  }

  /** Adds that the nodes kill those that are ending; they may learn so with the next order. */
  Decision those(Decision decision, Predicate<TaskId> meant) {
    return killing(
        decision,
        tasks.placed().stream()
            .filter(task -> task.state() == TaskState.ENDING && meant.test(task.id())));
  }

  /** Has the tasks of jobs killed, too, that {@link #later} follow their jobs. */
  void whole(Collection<JobId> jobs) {
    jobs.stream().filter(tasks::isUnsettled).forEach(following::add);
  }

  /** Decides these changes of tasks that follow their jobs. */
  Decision later(List<TaskChange> changes) {
    Stream<PlacedTask> ending =
        changes.stream()
            .filter(change -> change.to() == TaskState.ENDING)
            .map(change -> change.attempt().task())
            .filter(task -> following.contains(task.job()))
            .flatMap(task -> tasks.find(task).stream())
            .filter(PlacedTask.class::isInstance)
            .map(PlacedTask.class::cast);
    Decision decision = killing(Decision.of(changes), ending);
    following.removeIf(job -> !tasks.isUnsettled(job));
    return decision;
  }

  private static Decision killing(Decision decision, Stream<PlacedTask> ending) {
    Map<String, List<AttemptId>> byNode = new TreeMap<>();
    ending.forEach(
        task ->
            byNode
                .computeIfAbsent(task.place().node(), node -> new ArrayList<>())
                .add(task.attemptId()));
    Decision killing = decision;
    for (Map.Entry<String, List<AttemptId>> node : byNode.entrySet()) {
      killing =
          killing.then(
              new Effect.SendToNode(
                  node.getKey(), new CoordinatorMessage.KillNow(node.getValue())));
    }
    return killing;
  }
}
