package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a scheduling cycle looks at, besides what waits.
 *
 * @param nodes in any order
 * @param lastNode of each job that is placed in turn, from the plan before
 * @param use of each user so far, divided by the user's share; who is missing has used nothing
 * @param shares of each user, above 0; who is missing has 1
 * @param measuring tasks on which a type is being measured
 * @param slowTogether by type those with which it is not to share a device, with what both reach
 *     together in percent of the speed of one alone
 * @param now in nanoseconds of the monotonic clock
 */
public record Snapshot(
    List<NodeOffer> nodes,
    Map<JobId, String> lastNode,
    Map<String, Double> use,
    Map<String, Double> shares,
    Map<JobType, TaskId> measuring,
    Map<JobType, Map<JobType, Integer>> slowTogether,
    long now) {

  public Snapshot {
    nodes = List.copyOf(nodes);
    lastNode = Map.copyOf(lastNode);
    use = Map.copyOf(use);
    shares = Map.copyOf(shares);
    measuring = Map.copyOf(measuring);
    slowTogether = Map.copyOf(slowTogether);
  }

  /** What tasks of this kind are not to share a device with. */
  Map<JobType, Integer> slowWith(TaskClass.SchedulingKey key) {
    if (key.type() == null) {
      return Map.of();
    }
    Map<JobType, Integer> slow = slowTogether.getOrDefault(key.type(), Map.of());
    if (key.gang() == null) {
      return slow;
    }
    Map<JobType, Integer> others = new HashMap<>(slow);
    others.remove(key.type()); // a gang may not fit but on devices that its tasks share
    return others;
  }
}
