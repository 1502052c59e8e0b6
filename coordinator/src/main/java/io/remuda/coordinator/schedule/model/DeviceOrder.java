package io.remuda.coordinator.schedule.model;

import io.remuda.worker.job.PlacementPolicy;
import java.util.Comparator;

/** The order in which a task takes the devices of its node. */
public final class DeviceOrder {

  private DeviceOrder() {}

  /** Returns the order by which tasks of the policy choose among devices that fit. */
  public static Comparator<DeviceCapacity> of(PlacementPolicy policy) {
    return switch (policy) {
      case PACK, BEST_FIT -> RemainingNodeCapacity.fullestFirst();
      case SPREAD -> RemainingNodeCapacity.emptiestFirst();
      case ROUND_ROBIN -> RemainingNodeCapacity.byIndex();
    };
  }
}
