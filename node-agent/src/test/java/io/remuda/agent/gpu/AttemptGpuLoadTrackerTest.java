package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How busy attempts keep their devices. */
class AttemptGpuLoadTrackerTest {
  private static final AttemptId ONE = AttemptId.parse("1.0.1");
  private static final AttemptId TWO = AttemptId.parse("2.0.1");
  private static final DeviceId A = new DeviceId("GPU-a");
  private static final DeviceId B = new DeviceId("GPU-b");
  private static final long SIZE = 80L << 30;

  private final AttemptGpuLoadTracker loads = new AttemptGpuLoadTracker();

  private static DeviceSample sample(DeviceId device, Integer percent, DeviceProcess... processes) {
    return DeviceSampleBuilder.of(device, 0)
        .utilGpu(percent)
        .memTotal(SIZE)
        .processes(List.of(processes))
        .build();
  }

  @Test
  void a_device_for_itself_counts_by_time_and_all_devices_together() {
    loads.begins(ONE, List.of(A, B));
    loads.sampled(sample(A, 90), 1000);
    loads.sampled(sample(B, 0), 1000);
    loads.sampled(sample(A, 30), 2000);
    loads.sampled(sample(B, 0), 2000);
    assertEquals(Optional.of(new AttemptGpuUtilization(25, 90, SIZE)), loads.ended(ONE));
    assertEquals(Optional.empty(), loads.ended(ONE));
  }

  @Test
  void on_a_shared_device_only_the_utilisation_of_its_processes_is_its_own() {
    loads.begins(ONE, List.of(A));
    loads.begins(TWO, List.of(A));
    loads.sampled(sample(A, 95, new DeviceProcess(1, 5L, ONE.toString())), 1000);
    assertEquals(Optional.of(new AttemptGpuUtilization(null, null, SIZE)), loads.soFar(ONE));
    loads.sampled(
        sample(
            A,
            95,
            new DeviceProcess(1, 5L, ONE.toString()).busy(40),
            new DeviceProcess(2, 5L, ONE.toString()).busy(20),
            new DeviceProcess(3, 5L, null).busy(30)),
        1000);
    assertEquals(Optional.of(new AttemptGpuUtilization(60, 60, SIZE)), loads.ended(ONE));
    assertEquals(Optional.of(new AttemptGpuUtilization(0, 0, SIZE)), loads.ended(TWO));
  }

  @Test
  void without_a_reading_it_is_not_known() {
    loads.begins(ONE, List.of(A));
    loads.sampled(sample(A, null), 1000);
    loads.begins(TWO, List.of());
    assertEquals(Optional.of(new AttemptGpuUtilization(null, null, SIZE)), loads.ended(ONE));
    assertEquals(Optional.empty(), loads.ended(TWO));
  }
}
