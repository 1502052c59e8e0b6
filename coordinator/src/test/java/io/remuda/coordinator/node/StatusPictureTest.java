package io.remuda.coordinator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusPictureTest {
  private static final List<DeviceProcess> SEEN = List.of(new DeviceProcess(7, 5L));

  private final StatusPicture picture =
      new StatusPicture(
          "run",
          new NodeRegistry(),
          new TaskRegistry(
              new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10))));

  private DeviceSample after(long used, List<DeviceProcess> processes, DeviceHealth health) {
    DeviceSample device =
        DeviceSampleBuilder.of(new DeviceId("GPU-1"), 0)
            .memUsed(used)
            .processes(processes)
            .health(health)
            .build();
    HostSample host = new HostSample(0, 0, 0, null, 1, 1, 1, null);
    picture.sampled(List.of(new NodeSample("n1", 1, 0, host, List.of(device))));
    return picture.newest().get("n1").devices().get(0);
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
