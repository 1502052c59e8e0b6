package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.LoadedDriver;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlReopeningTest {
  @TempDir Path folder;
  private final ManualTicker ticker = new ManualTicker();
  private SimulatedDriver driver;
  private LoadedDriver loaded;
  private DeviceSource source;

  @BeforeEach
  void twoGpus() {
    driver = SimulatedDriver.in(folder).says("gpus 2", "gpu 0 util 10", "gpu 1 util 20");
    loaded = driver.loaded();
    source = NvmlDeviceSource.open(driver.library().toString(), null, ticker);
  }

  @AfterEach
  void every_opening_was_shut_down() {
    source.close();
    assertEquals(0, loaded.counter("references"));
    assertEquals(loaded.counter("init_successes"), loaded.counter("shutdown_calls"));
  }

  private List<DeviceHealth> sampleHealth() {
    return source.sample().stream().map(DeviceSample::health).toList();
  }

  private void pass(int seconds) {
    ticker.advance(Duration.ofSeconds(seconds));
    source.sample();
  }

  @Test
  void a_lost_gpu_has_the_library_opened_again_with_growing_pauses() {
    driver.says("gpus 2", "gpu 0 gone");
    assertEquals(List.of(DeviceHealth.LOST, DeviceHealth.OK), sampleHealth());
    int openings = 1;
    for (int pause : new int[] {5, 10, 20, 40, 60, 60}) {
      pass(pause - 1);
      assertEquals(openings, loaded.counter("init_calls"), "before " + pause + " s");
      pass(1);
      assertEquals(++openings, loaded.counter("init_calls"), "after " + pause + " s");
      assertEquals(List.of(DeviceHealth.LOST, DeviceHealth.OK), sampleHealth());
    }
  }

  @Test
  void a_gpu_that_comes_back_is_found_by_its_uuid() {
    driver.says("gpus 2", "gpu 0 gone");
    source.sample();
    pass(5);
    driver.says("gpus 2", "gpu 0 util 77", "gpu 1 util 20");
    pass(10);
    List<DeviceSample> samples = source.sample();
    assertEquals(77, samples.get(0).utilGpu());
    assertEquals(20, samples.get(1).utilGpu());
    assertEquals(0, loaded.counter("stale_handles"), "handles of a closed session were used");
  }

  @Test
  void after_a_recovery_the_pauses_begin_anew() {
    driver.says("gpus 2", "gpu 0 lost");
    source.sample();
    pass(5);
    driver.says("gpus 2");
    pass(10);
    source.sample();
    long before = loaded.counter("init_calls");
    driver.says("gpus 2", "gpu 0 lost");
    source.sample();
    pass(5);
    assertEquals(before + 1, loaded.counter("init_calls"));
  }

  @Test
  void a_lost_gpu_that_answers_again_by_itself_needs_no_opening() {
    driver.says("gpus 2", "gpu 0 lost");
    source.sample();
    driver.says("gpus 2");
    assertEquals(List.of(DeviceHealth.OK, DeviceHealth.OK), sampleHealth());
    pass(60);
    assertEquals(1, loaded.counter("init_calls"));
  }

  @Test
  void a_driver_upgrade_leaves_devices_stale_until_the_versions_fit_again() {
    driver.says(
        "gpus 2",
        "init fail 18",
        "gpu 0 fail nvmlDeviceGetUtilizationRates 18",
        "gpu 1 fail nvmlDeviceGetUtilizationRates 18");
    assertEquals(List.of(DeviceHealth.STALE, DeviceHealth.STALE), sampleHealth());
    pass(5);
    assertEquals(List.of(DeviceHealth.STALE, DeviceHealth.STALE), sampleHealth());
    assertTrue(source.description().contains("LIB_RM_VERSION_MISMATCH"));
    assertEquals(2, source.inventory().size(), "devices stay known");
    driver.says("gpus 2", "gpu 1 util 66");
    pass(10);
    assertEquals(66, source.sample().get(1).utilGpu());
  }

  @Test
  void a_driver_that_is_not_ready_at_first_shows_its_devices_later() {
    source.close();
    driver.says("gpus 2", "init fail 9");
    source = NvmlDeviceSource.open(driver.library().toString(), "1", ticker);
    source.sample();
    assertEquals(List.of(), source.inventory());
    driver.says("gpus 2");
    pass(5);
    assertEquals(1, source.inventory().size());
    assertEquals(1, source.sample().get(0).index());
  }
}
