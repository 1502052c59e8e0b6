package io.remuda.coordinator.schedule;

import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Set;

/**
 * Running tasks that may be asked to leave their places, together: those of a slot, or a gang.
 *
 * @param tasks in order
 * @param slots that they hold, on any nodes
 * @param nodes where they are
 * @param priority of their job
 * @param lostMillis run time that would be lost at most; of a training, time until its epoch ends
 *     and for a new start
 */
public record PreemptibleTaskGroup(
    List<TaskId> tasks, Set<Long> slots, Set<String> nodes, int priority, long lostMillis) {
  public PreemptibleTaskGroup {
    tasks = List.copyOf(tasks);
    slots = Set.copyOf(slots);
    nodes = Set.copyOf(nodes);
  }
}
