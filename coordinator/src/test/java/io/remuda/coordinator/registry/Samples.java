package io.remuda.coordinator.registry;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import java.util.stream.Stream;

/** Samples of nodes for tests. */
final class Samples {
  private Samples() {}

  /** A sample in which these devices are lost. */
  static NodeSample with(String node, String... lost) {
    List<DeviceSample> devices =
        Stream.of(lost)
            .map(
                uuid ->
                    DeviceSampleBuilder.of(new DeviceId(uuid), 0).health(DeviceHealth.LOST).build())
            .toList();
    return new NodeSample(
        node, 1, 0, new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L), devices);
  }
}
