package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;

/**
 * A node as the scheduler sees it.
 *
 * @param node its name
 * @param reachable whether it answers
 * @param devices all that it has, by index
 * @param free those that may be lent now
 */
public record NodeOffer(
    String node, boolean reachable, List<DeviceId> devices, List<DeviceId> free) {

  public NodeOffer {
    devices = List.copyOf(devices);
    free = List.copyOf(free);
  }
}
