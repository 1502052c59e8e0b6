package io.remuda.coordinator.replay;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.PlacementPolicy;
import java.util.List;

/**
 * What would be other than it is.
 *
 * @param order whose turn it is; null for as it is
 * @param policy which node gets a task; null for as each job asked
 * @param added further nodes
 */
public record WhatIf(OrderPolicies order, PlacementPolicy policy, List<AddedNode> added) {

  /** Everything as it is now. */
  public static final WhatIf NOTHING = new WhatIf(null, null, List.of());

  public WhatIf {
    added = List.copyOf(added);
  }
}
