package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the control file of the C driver can say, as far as other tests do not show it. */
class SimulatedDriverLanguageTest {
  @TempDir Path folder;
  private SimulatedDriver driver;

  @BeforeEach
  void loadDriver() {
    driver = SimulatedDriver.in(folder);
    driver.loaded();
  }

  private DeviceSource open() {
    return NvmlDeviceSource.open(driver.library().toString(), null, new ManualTicker());
  }

  @Test
  void without_a_control_file_there_is_one_gpu() throws IOException {
    Files.delete(driver.controlFile());
    try (DeviceSource source = open()) {
      assertEquals(1, source.inventory().size());
      assertEquals(0, source.sample().get(0).utilGpu());
    }
  }

  @Test
  void comments_empty_lines_and_several_lines_for_one_gpu_are_read() {
    driver.says("# a comment", "", "gpus 2", "gpu 1 util 5 # half", "gpu 1 temp 70");
    try (DeviceSource source = open()) {
      DeviceSample sample = source.sample().get(1);
      assertEquals(5, sample.utilGpu());
      assertEquals(70, sample.tempC());
    }
  }

  @Test
  void memory_in_use_is_the_sum_over_the_processes() {
    driver.says("gpu 0 process 7 1GiB process 8 none process 9 512MiB");
    try (DeviceSource source = open()) {
      assertEquals(1536L << 20, source.sample().get(0).memUsed());
    }
  }

  @Test
  void a_wave_stays_within_0_and_100() {
    driver.says("gpu 0 util wave");
    try (DeviceSource source = open()) {
      int util = source.sample().get(0).utilGpu();
      assertTrue(util >= 0 && util <= 100);
    }
  }

  @Test
  void a_gpu_is_busy_while_a_process_that_was_given_it_lives() throws Exception {
    driver.says("gpus 2", "gpu 0 util busy uuid GPU-idle", "gpu 1 util busy job-memory 2GiB");
    try (DeviceSource source = open()) {
      String uuid = source.inventory().get(1).id().uuid();
      ProcessBuilder sleep = new ProcessBuilder("sleep", "60");
      sleep.environment().put("CUDA_VISIBLE_DEVICES", uuid);
      Process job = sleep.start();
      try {
        List<DeviceSample> samples = source.sample();
        assertEquals(0, samples.get(0).utilGpu());
        assertEquals(90, samples.get(1).utilGpu());
        assertEquals(List.of(new DeviceProcess(job.pid(), 2L << 30)), samples.get(1).processes());
      } finally {
        job.destroyForcibly();
        assertTrue(job.waitFor(60, TimeUnit.SECONDS));
      }
      assertEquals(0, source.sample().get(1).utilGpu());
    }
  }
}
