package io.remuda.telemetry.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One machine and its devices at one moment.
 *
 * @param node name of the node
 * @param sequence number of the sample from its sampler, from 1 without gaps
 * @param atEpochMillis wall clock when the sample was complete, milliseconds since 1970
 * @param host reading of the machine, never stale
 * @param devices one sample per device, in the order of the inventory; a device that did not answer
 *     in time is STALE
 */
public record NodeSample(
    String node, long sequence, long atEpochMillis, HostSample host, List<DeviceSample> devices) {
  public NodeSample {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(host, "host");
    devices = List.copyOf(devices);
  }

  /** Returns the samples of the devices by device. */
  public Map<DeviceId, DeviceSample> byDevice() {
    Map<DeviceId, DeviceSample> samples = new HashMap<>();
    devices.forEach(device -> samples.put(device.id(), device));
    return samples;
  }

  /**
   * Returns a copy in which devices whose processes were not read have those of an earlier sample:
   * they are read less often than the other values. A device that does not answer has none.
   */
  public NodeSample withLastProcesses(NodeSample before) {
    Map<DeviceId, DeviceSample> earlier = before.byDevice();
    return new NodeSample(
        node,
        sequence,
        atEpochMillis,
        host,
        devices.stream()
            .map(device -> device.withLastProcesses(earlier.get(device.id())))
            .toList());
  }
}
