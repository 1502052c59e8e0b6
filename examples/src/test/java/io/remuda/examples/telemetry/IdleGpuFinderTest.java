package io.remuda.examples.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.examples.PrintedLines;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleGpuFinderTest {

  private static final DeviceId QUIET = new DeviceId("GPU-quiet");
  private static final DeviceId BUSY = new DeviceId("GPU-busy");
  private static final DeviceId UNKNOWN = new DeviceId("GPU-unknown");

  private final IdleGpuFinder finder = new IdleGpuFinder(5);

  private void sample(long second, DeviceId id, Integer percent) {
    DeviceSample sample = DeviceSampleBuilder.of(id, 0).utilGpu(percent).build();
    finder.add(second * 1000, List.of(sample));
  }

  @Test
  void a_gpu_is_idle_if_its_mean_is_low_and_one_without_readings_is_not() {
    for (int second = 0; second < 60; second++) {
      sample(second, QUIET, second % 2 == 0 ? 10 : 0);
      sample(second, BUSY, second % 2 == 0 ? 12 : 0);
      sample(second, UNKNOWN, null);
    }
    assertEquals(List.of(QUIET), finder.idle(59_000));
  }

  @Test
  void only_the_last_minute_counts() {
    sample(0, BUSY, 100);
    sample(58, BUSY, 0);
    assertEquals(List.of(), finder.idle(58_000));
    assertEquals(List.of(BUSY), finder.idle(65_000));
  }

  @Test
  void the_example_finds_gpus_of_the_simulated_machine() throws Exception {
    List<String> lines = PrintedLines.of(IdleGpuFinder::main);

    assertTrue(lines.get(0).contains("8 device(s)"), lines::toString);
    assertTrue(lines.size() > 1 && lines.size() < 1 + 8, lines::toString);
    assertEquals(1 + 8, PrintedLines.of(IdleGpuFinder::main, "100").size());
  }
}
