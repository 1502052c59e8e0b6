package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requires enough shareable devices without tasks of types that the task is slow with. It is
 * applied after {@link Filter#ALL}.
 */
public final class SlowPairFilter implements Filter {

  /** Orders types by combined speed, then by name and user. */
  private static final Comparator<Map.Entry<JobType, Integer>> SLOWEST_FIRST =
      Map.Entry.<JobType, Integer>comparingByValue()
          .thenComparing(entry -> entry.getKey().name())
          .thenComparing(entry -> entry.getKey().user());

  private final Map<JobType, Integer> slowWith;

  /**
   * Creates the filter for a task.
   *
   * @param slowWith types that the task must not share a device with, and their combined speed in
   *     percent
   */
  public SlowPairFilter(Map<JobType, Integer> slowWith) {
    this.slowWith = slowWith;
  }

  /** Returns the node without the devices that the task must not share. */
  public RemainingNodeCapacity leftOf(RemainingNodeCapacity node) {
    return node.apartFrom(slowWith.keySet());
  }

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    if (slowWith.isEmpty()
        || !needs.gpuShare().isShared()
        || leftOf(node).gpusFor(needs) >= needs.gpus()) {
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
