package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.NodeCapacity;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Enough devices of which a task can have a part are without tasks beside which it is slow. Asked
 * of nodes that have room otherwise.
 */
public final class SlowPairFilter implements Filter {

  /** Among several the one with which it is slowest. */
  private static final Comparator<Map.Entry<JobType, Integer>> SLOWEST_FIRST =
      Map.Entry.<JobType, Integer>comparingByValue()
          .thenComparing(entry -> entry.getKey().name())
          .thenComparing(entry -> entry.getKey().user());

  private final Map<JobType, Integer> slowWith;

  /** For tasks that are slow beside these types, and reach so many percent with them. */
  public SlowPairFilter(Map<JobType, Integer> slowWith) {
    this.slowWith = slowWith;
  }

  /** What such a task may have of a node. */
  public NodeCapacity leftOf(NodeCapacity node) {
    return node.apartFrom(slowWith.keySet());
  }

  @Override
  public Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs) {
    if (slowWith.isEmpty() || !needs.sharesGpus() || leftOf(node).gpusFor(needs) >= needs.gpus()) {
      return Optional.empty();
    }
    Set<JobType> there = node.typesBeside(needs);
    return slowWith.entrySet().stream()
        .filter(entry -> there.contains(entry.getKey()))
        .min(SLOWEST_FIRST)
        .map(
            slow ->
                new WaitReason.SlowTogether(node.name(), slow.getKey().name(), slow.getValue()));
  }
}
