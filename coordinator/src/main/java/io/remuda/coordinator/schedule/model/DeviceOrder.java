package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.PlacementPolicy;
import java.util.Comparator;
import java.util.Set;

/** The order in which a task takes the devices of its node. */
public final class DeviceOrder {

  private static final Comparator<DeviceCapacity> IDLE_FIRST =
      (one, other) -> Boolean.compare(one.isCrowded(), other.isCrowded());

  private DeviceOrder() {}

  /**
   * Returns the order by which tasks of the policy choose among devices that fit: those that
   * strangers use come last.
   */
  public static Comparator<DeviceCapacity> of(PlacementPolicy policy) {
    return IDLE_FIRST.thenComparing(
        switch (policy) {
          case PACK, BEST_FIT -> RemainingNodeCapacity.fullestFirst();
          case SPREAD -> RemainingNodeCapacity.emptiestFirst();
          case ROUND_ROBIN -> RemainingNodeCapacity.byIndex();
        });
  }

  /** Returns the same order, but with these devices at the end. */
  public static Comparator<DeviceCapacity> of(PlacementPolicy policy, Set<DeviceId> last) {
    Comparator<DeviceCapacity> usual = of(policy);
    return last.isEmpty()
        ? usual
        : Comparator.<DeviceCapacity, Boolean>comparing(
                device -> last.contains(device.offer().id()))
            .thenComparing(usual);
  }
}
