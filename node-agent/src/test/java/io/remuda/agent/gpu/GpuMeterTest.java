package io.remuda.agent.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd.GpuUse;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GpuMeterTest {
  private static final AttemptId ONE = AttemptId.parse("1.0.1");
  private static final AttemptId TWO = AttemptId.parse("2.0.1");
  private static final DeviceId GPU = new DeviceId("GPU-a");

  /** What the driver answers, one reading after the other; it waits for the next. */
  private final SynchronousQueue<Long> readings = new SynchronousQueue<>();

  private final LinkedBlockingQueue<DeviceId> asked = new LinkedBlockingQueue<>();
  private final GpuMeter meter = new GpuMeter(this::read);

  private OptionalLong read(DeviceId device) {
    asked.add(device);
    try {
      long reading = readings.take();
      return reading < 0 ? OptionalLong.empty() : OptionalLong.of(reading);
    } catch (InterruptedException stop) {
      return OptionalLong.empty();
    }
  }

  /** Returns when the last of them was taken in, for then the next is asked for. */
  private void driverSays(long... bytes) throws InterruptedException {
    for (long reading : bytes) {
      asked.take();
      readings.put(reading);
    }
    asked.take();
  }

  private static NodeSample sample(Integer util, DeviceProcess... processes) {
    return new NodeSample(
        "n1",
        1,
        0,
        new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L),
        List.of(
            DeviceSampleBuilder.of(GPU, 0).utilGpu(util).processes(List.of(processes)).build()));
  }

  @Test
  void a_device_for_itself_counts_for_what_it_has_more_than_before() throws Exception {
    meter.watch(ONE, List.of(GPU));
    driverSays(300, 300, -1, 5300, 800);
    meter.sampled(sample(40), attempt -> true);
    meter.sampled(sample(60), attempt -> true);
    assertEquals(Optional.of(new GpuUse(5000, 50)), meter.ended(ONE));
  }

  @Test
  void memory_that_another_task_leaves_meanwhile_is_not_its_own() throws Exception {
    meter.watch(ONE, List.of(GPU));
    driverSays(2000, 100, 700);
    assertEquals(1900, meter.ended(ONE).orElseThrow().peakBytes(), "an upper bound, never less");
  }

  @Test
  void attempts_that_share_a_device_count_for_their_processes() {
    meter.sampled(
        sample(
            10,
            new DeviceProcess(1, 100L, "1.0.1"),
            new DeviceProcess(2, 50L, "1.0.1"),
            new DeviceProcess(3, 70L, "2.0.1"),
            new DeviceProcess(4, 999L, null)),
        attempt -> true);
    meter.sampled(sample(10, new DeviceProcess(1, 120L, "1.0.1")), attempt -> true);
    meter.sampled(sample(10, new DeviceProcess(5, 7L, "9.0.1")), attempt -> false);
    assertTrue(meter.isBusy());
    assertEquals(Optional.of(new GpuUse(150, null)), meter.ended(ONE));
    assertEquals(Optional.of(new GpuUse(70, null)), meter.ended(TWO));
    assertFalse(meter.isBusy());
  }

  @Test
  void what_was_never_seen_on_a_device_has_no_use() {
    assertEquals(Optional.empty(), meter.ended(ONE));
  }
}
