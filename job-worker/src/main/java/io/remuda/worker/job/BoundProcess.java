package io.remuda.worker.job;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Set;

/**
 * A process that has used devices and cannot be moved to others, so that it wants just these.
 *
 * @param pid where its node's agent sees it; what it still has of the devices is no stranger's
 * @param devices all that it wants
 */
public record BoundProcess(long pid, List<DeviceId> devices) {
  public BoundProcess {
    devices = List.copyOf(devices);
    if (devices.isEmpty() || Set.copyOf(devices).size() < devices.size()) {
      throw new IllegalArgumentException("devices must be one or more, each once, got " + devices);
    }
  }
}
