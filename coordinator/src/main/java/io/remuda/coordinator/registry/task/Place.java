package io.remuda.coordinator.registry.task;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;

/**
 * Where an attempt is, as it was placed.
 *
 * @param slot number of its slot; several tasks of one class may be ordered for a slot and run
 *     there one after the other
 * @param gpuMemory promised bytes of each device; 0 for whole devices, {@link ResourceRequest#AUTO}
 *     for whole devices on which its type is measured
 * @param tag of the attempt
 */
public record Place(String node, List<DeviceId> devices, long slot, long gpuMemory, String tag) {
  public Place {
    devices = List.copyOf(devices);
  }

  /** Creates the place of a new attempt, without its tag. */
  public static Place at(String node, List<DeviceId> devices, long slot, long gpuMemory) {
    return new Place(node, devices, slot, gpuMemory, "");
  }

  public Place tagged(String other) {
    return new Place(node, devices, slot, gpuMemory, other);
  }

  /** Returns whether its devices are whole so that its type is measured there. */
  public boolean isMeasuring() {
    return gpuMemory == ResourceRequest.AUTO;
  }

  Place inSlot(long other) {
    return new Place(node, devices, other, gpuMemory, tag);
  }
}
