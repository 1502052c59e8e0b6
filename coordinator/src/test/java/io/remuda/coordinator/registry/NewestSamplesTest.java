package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NewestSamplesTest {
  private static final List<DeviceProcess> SEEN = List.of(new DeviceProcess(7, 5L));

  private final NodeRegistry nodes = new NodeRegistry();

  @BeforeEach
  void join() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  private DeviceSample after(long used, List<DeviceProcess> processes, DeviceHealth health) {
    DeviceSample device =
        DeviceSampleBuilder.of(new DeviceId("GPU-1"), 0)
            .memUsed(used)
            .processes(processes)
            .health(health)
            .build();
    HostSample host = new HostSample(0, 0, 0, null, 1, 1, 1, null);
    nodes.sampled(new NodeSample("n1", 1, 0, host, List.of(device)));
    assertEquals(
        device.memUsed(), nodes.find("n1").orElseThrow().readings().get(device.id()).memUsed());
    return nodes.samples().get("n1").devices().get(0);
  }

  @Test
  void processes_that_were_not_asked_for_this_time_are_those_of_the_last() {
    after(10, SEEN, DeviceHealth.OK);
    DeviceSample newest = after(20, null, DeviceHealth.OK);
    assertEquals(SEEN, newest.processes());
    assertEquals(20, newest.memUsed());
    assertEquals(SEEN, after(30, null, DeviceHealth.DEGRADED).processes());
  }

  @Test
  void what_a_node_sent_before_it_joined_again_is_forgotten() {
    after(10, SEEN, DeviceHealth.OK);
    join();
    assertEquals(Map.of(), nodes.samples());
    assertNull(after(20, null, DeviceHealth.OK).processes());
  }

  @Test
  void processes_that_are_gone_are_gone() {
    after(10, SEEN, DeviceHealth.OK);
    assertEquals(List.of(), after(0, List.of(), DeviceHealth.OK).processes());
    assertEquals(List.of(), after(0, null, DeviceHealth.OK).processes());
  }

  @Test
  void a_device_that_did_not_answer_meanwhile_is_asked_again() {
    after(10, SEEN, DeviceHealth.OK);
    assertNull(after(0, null, DeviceHealth.LOST).processes());
    assertNull(after(10, null, DeviceHealth.OK).processes());
  }
}
