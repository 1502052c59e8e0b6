package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.List;
import java.util.Map;

/**
 * How far a live job is.
 *
 * @param counts number of tasks by state
 * @param reasons why its first waiting task waits; empty while a task has a place
 */
public record JobView(Map<TaskState, Integer> counts, List<WaitReason> reasons) {
  public JobView {
    counts = Map.copyOf(counts);
    reasons = List.copyOf(reasons);
  }
}
