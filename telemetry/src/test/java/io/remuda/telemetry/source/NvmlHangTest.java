package io.remuda.telemetry.source;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.testkit.FixedHost;
import io.remuda.telemetry.testkit.LoadedDriver;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sampler over JNA and a C driver whose calls really block. */
class NvmlHangTest {
  private static final Duration DEADLINE = Duration.ofMillis(500);

  @TempDir Path folder;
  private SimulatedDriver driver;
  private LoadedDriver loaded;

  @BeforeEach
  void loadDriver() {
    driver = SimulatedDriver.in(folder).says("gpus 3", "gpu 0 util 1", "gpu 2 util 3");
    loaded = driver.loaded();
  }

  @AfterEach
  void every_call_has_returned_and_the_library_is_closed() {
    driver.says("gpus 3");
    await().until(() -> loaded.counter("hanging") == 0 && loaded.counter("references") == 0);
    assertEquals(loaded.counter("init_successes"), loaded.counter("shutdown_calls"));
  }

  private TelemetrySampler start() {
    DeviceSource source = DeviceSources.open(driver.environment());
    return TelemetrySampler.start(source, new FixedHost(), DEADLINE, "n1");
  }

  private static List<DeviceHealth> health(NodeSample sample) {
    return sample.devices().stream().map(DeviceSample::health).toList();
  }

  @Test
  void one_hanging_gpu_leaves_the_others_fresh_and_comes_back() {
    try (TelemetrySampler sampler = start()) {
      List<DeviceHealth> well = List.of(DeviceHealth.OK, DeviceHealth.OK, DeviceHealth.OK);
      await().until(() -> health(sampler.sample()).equals(well)); // the first calls load classes
      driver.says("gpus 3", "gpu 0 util 10", "gpu 1 hang", "gpu 2 util 30");
      long start = System.nanoTime();
      NodeSample first = sampler.sample();
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(millis < 60_000, () -> "took " + millis + " ms");
      assertEquals(10, first.devices().get(0).utilGpu());
      assertEquals(DeviceHealth.STALE, first.devices().get(1).health());
      for (int i = 0; i < 4; i++) {
        NodeSample sample = sampler.sample();
        assertEquals(List.of(DeviceHealth.OK, DeviceHealth.STALE, DeviceHealth.OK), health(sample));
        assertEquals(30, sample.devices().get(2).utilGpu());
      }
      assertEquals(1, loaded.counter("hanging_max"), "threads inside the stuck GPU");
      driver.says("gpus 3", "gpu 1 util 55");
      await().until(() -> Integer.valueOf(55).equals(sampler.sample().devices().get(1).utilGpu()));
    }
  }

  @Test
  void the_library_is_not_shut_down_under_a_stuck_thread() {
    try (TelemetrySampler sampler = start()) {
      sampler.sample();
      driver.says("gpus 3", "gpu 1 hang");
      sampler.sample();
      sampler.sample();
    }
    assertEquals(1, loaded.counter("hanging"));
    assertEquals(0, loaded.counter("shutdown_calls"));
    driver.says("gpus 3");
    await().until(() -> loaded.counter("shutdown_calls") == 1);
  }

  @Test
  void a_driver_that_hangs_while_it_is_opened_does_not_hold_up_the_node() {
    driver.says("gpus 3", "hang init");
    try (DeviceSource source = DeviceSources.open(driver.environment(), Duration.ofMillis(200))) {
      assertEquals(List.of(), source.inventory());
      assertTrue(source.description().contains("did not open"));
    }
  }
}
