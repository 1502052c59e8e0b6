package io.remuda.coordinator.schedule;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;

/**
 * A node as the scheduler sees it.
 *
 * @param node its name
 * @param machine that it is on; nodes of one machine share its memory
 * @param reachable whether it answers
 * @param devices all that it has, by index
 * @param free those that may be lent now
 * @param freeMemory of its machine in bytes: what tasks have not asked for
 * @param totalMemory of its machine in bytes, as far as runs may use it
 */
public record NodeOffer(
    String node,
    String machine,
    boolean reachable,
    List<DeviceId> devices,
    List<DeviceId> free,
    long freeMemory,
    long totalMemory) {

  public NodeOffer {
    devices = List.copyOf(devices);
    free = List.copyOf(free);
  }
}
