package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import org.junit.jupiter.api.Test;

class TelemetryLinesTest {
  private static String line(double load, DeviceSample... devices) {
    HostSample host = new HostSample(load, 0, 0, null, 4, 1, 1, null);
    return TelemetryLines.plain(new NodeSample("pinoak0034", 1, 0, host, List.of(devices)));
  }

  private static DeviceSample gpu(int index, Integer util) {
    return DeviceSampleBuilder.of(new DeviceId("gpu-" + index), index).utilGpu(util).build();
  }

  @Test
  void the_first_device_of_the_node_is_shown() {
    assertEquals(
        "nodename: pinoak0034 cpu load average 1 minute: 0.17 device # 0 utilization: 10.00%",
        line(0.17, gpu(0, 10), gpu(1, 20)));
    assertEquals(
        "nodename: pinoak0034 cpu load average 1 minute: 29.7 device # 3 utilization: 100.00%",
        line(29.7, gpu(3, 100)));
  }

  @Test
  void a_node_without_devices_still_shows_its_load() {
    assertEquals("nodename: pinoak0034 cpu load average 1 minute: 2.0", line(2));
  }

  @Test
  void a_utilisation_that_is_not_available_reads_so() {
    assertEquals(
        "nodename: pinoak0034 cpu load average 1 minute: 0.5 device # 0 utilization: n/a",
        line(0.5, gpu(0, null)));
  }
}
