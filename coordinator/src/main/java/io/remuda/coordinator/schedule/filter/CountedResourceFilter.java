package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.CountedResourceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Map;
import java.util.Optional;

/** Requires enough of each counted resource that is not promised to tasks. */
final class CountedResourceFilter implements Filter {

  private static final Amount NOTHING = new Amount(0, 0);

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    for (Map.Entry<String, Long> wanted : needs.nodeNeeds().counted().entrySet()) {
      long free = node.freeCounted(wanted.getKey());
      if (free < wanted.getValue()) {
        return Optional.of(lack(node, wanted.getKey(), wanted.getValue(), free));
      }
    }
    return Optional.empty();
  }

  private static WaitReason lack(
      RemainingNodeCapacity node, String resource, long wanted, long free) {
    CountedResourceOffer all = node.offer().counted();
    return node.countsInCluster(resource)
        ? new WaitReason.TooFewInCluster(
            resource, wanted, free, all.ofCluster().getOrDefault(resource, NOTHING).total())
        : new WaitReason.TooFewCounted(
            node.name(),
            resource,
            wanted,
            free,
            all.ofNode().getOrDefault(resource, NOTHING).total());
  }
}
