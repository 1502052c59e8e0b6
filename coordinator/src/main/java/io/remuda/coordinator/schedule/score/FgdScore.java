package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.mix.RoomTable;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;

/**
 * Fragmentation gradient descent: prefers the node and GPU on which the least GPU capacity becomes
 * useless for tasks as they were seen so far.
 *
 * <pre>
 * fragment(node, shape) = all that is free of its GPUs, if the shape does not fit the node,
 *                         otherwise what is free of GPUs that have too little for the shape
 * score = 1 / (1 + e^Δ),  Δ = Σ over shapes of share × (fragment after − fragment before), in GPUs
 * </pre>
 *
 * <p>Source: Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with
 * Fragmentation Gradient Descent", USENIX ATC 2023. There the distribution of the shapes is known
 * from the trace; here it is learned. As long as no task with GPUs was seen it is {@link
 * PackScore}.
 */
final class FgdScore implements Score {

  private final RoomTable rooms;
  private final Score others = new PackScore();

  /**
   * @param rooms with the measure {@link io.remuda.coordinator.schedule.mix.LossMeasure#USABLE}
   */
  FgdScore(RoomTable rooms) {
    this.rooms = rooms;
  }

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    return !rooms.mix().hasGpus()
        ? others.of(node, needs)
        : 1 / (1 + Math.exp(rooms.cost(node, needs)));
  }

  @Override
  public Optional<DeviceId> device(RemainingNodeCapacity node, ResourceRequest needs) {
    return rooms.mix().parts().isEmpty() ? Optional.empty() : rooms.device(node, needs);
  }
}
