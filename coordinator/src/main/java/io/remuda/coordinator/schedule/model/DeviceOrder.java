package io.remuda.coordinator.schedule.model;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.PlacementPolicy;
import java.util.Comparator;
import java.util.Optional;
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
    return IDLE_FIRST.thenComparing(usual(policy));
  }

  /** Orders devices by free memory, the smallest first. */
  public static Comparator<DeviceCapacity> fullestFirst() {
    return Comparator.comparingLong(DeviceCapacity::freeMemory);
  }

  /** Orders devices by free memory, the largest first. */
  public static Comparator<DeviceCapacity> emptiestFirst() {
    return fullestFirst().reversed();
  }

  private static Comparator<DeviceCapacity> fewestTasksFirst() {
    return Comparator.<DeviceCapacity>comparingInt(device -> device.load().tasks())
        .thenComparingInt(device -> device.load().wide());
  }

  private static Comparator<DeviceCapacity> usual(PlacementPolicy policy) {
    return switch (policy) {
      case PACK, BEST_FIT, FORESIGHT, FGD, DOT_PRODUCT -> fullestFirst();
      case SPREAD -> emptiestFirst();
      case SHARE -> fewestTasksFirst().thenComparing(emptiestFirst());
      case ROUND_ROBIN, RANDOM -> RemainingNodeCapacity.byIndex();
    };
  }

  /**
   * Returns the same order, but with some devices at the end, and a chosen one before those that
   * are no worse.
   */
  public static Comparator<DeviceCapacity> of(
      PlacementPolicy policy, Set<DeviceId> last, Optional<DeviceId> chosen) {
    Comparator<DeviceCapacity> order = of(policy);
    if (chosen.isPresent()) {
      order =
          IDLE_FIRST
              .thenComparing(device -> !device.offer().id().equals(chosen.get()))
              .thenComparing(usual(policy));
    }
    return last.isEmpty()
        ? order
        : Comparator.<DeviceCapacity, Boolean>comparing(
                device -> last.contains(device.offer().id()))
            .thenComparing(order);
  }
}
