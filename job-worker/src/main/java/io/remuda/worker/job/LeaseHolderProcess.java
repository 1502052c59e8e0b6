package io.remuda.worker.job;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Set;

/**
 * A process that has already used devices and cannot switch to others, so it must get exactly
 * these.
 *
 * @param pid process id as its node's agent sees it; memory that the process still holds on the
 *     devices does not count as another's
 * @param devices all devices that it must get
 */
public record LeaseHolderProcess(long pid, List<DeviceId> devices) {
  public LeaseHolderProcess {
    devices = List.copyOf(devices);
    if (devices.isEmpty() || Set.copyOf(devices).size() < devices.size()) {
      throw new IllegalArgumentException("devices must be one or more, each once, got " + devices);
    }
  }
}
