package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.SampleProgressListener;
import io.remuda.telemetry.testkit.LoadedDriver;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.telemetry.testkit.SimulatedDriver;
import io.remuda.telemetry.window.EnergyCounterSum;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlDeviceSourceTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;
  private final ManualTicker ticker = new ManualTicker();
  private SimulatedDriver driver;
  private LoadedDriver loaded;

  @BeforeEach
  void loadDriver() {
    driver = SimulatedDriver.in(folder);
    loaded = driver.loaded();
  }

  private DeviceSource open() {
    return open(null);
  }

  private DeviceSource open(String visible) {
    return NvmlDeviceSource.open(driver.library().toString(), visible, ticker);
  }

  private DeviceSource openOld() {
    driver.loadedOld();
    return NvmlDeviceSource.open(driver.oldLibrary().toString(), null, ticker);
  }

  @Test
  void the_memory_in_use_is_read_by_itself_whatever_version_the_driver_has() {
    driver.says("gpu 0 uuid GPU-abc memory 24GiB reserved 512MiB used 1GiB");
    try (DeviceSource source = open();
        DeviceSource old = openOld()) {
      DeviceInfo info = source.inventory().get(0);
      assertEquals(1024 * MIB, source.memoryUsed(info.id()).orElseThrow());
      driver.says("gpu 0 uuid GPU-abc memory 24GiB reserved 512MiB used 3GiB");
      assertEquals(3 * 1024 * MIB, source.memoryUsed(info.id()).orElseThrow());
      assertTrue(old.memoryUsed(info.id()).orElseThrow() >= 3 * 1024 * MIB);
      assertTrue(source.memoryUsed(new DeviceId("GPU-other")).isEmpty());
    }
  }

  @Test
  void every_reading_of_the_driver_arrives_with_its_unit() {
    driver.says(
        "driver 560.35",
        "gpu 0 uuid GPU-abc name \"NVIDIA H200\" memory 24GiB reserved 512MiB used 1GiB util 37"
            + " utilmem 12 temp 61 power 250000 limit 700000 energy 123456789012 clock 1980"
            + " memclock 3201 fan 44 throttle 4 ecc 2");
    try (DeviceSource source = open()) {
      DeviceInfo info = source.inventory().get(0);
      assertEquals("GPU-abc", info.id().uuid());
      assertEquals("NVIDIA H200", info.name());
      assertEquals("00000000:10:00.0", info.pciBusId());
      assertEquals(24 * 1024 * MIB, info.memoryTotalBytes());
      assertEquals("560.35", info.driver());
      DeviceSample s = source.sample().get(0);
      assertEquals(37, s.utilGpu());
      assertEquals(12, s.utilMem());
      assertEquals(24 * 1024 * MIB, s.memTotal());
      assertEquals(1024 * MIB, s.memUsed());
      assertEquals(512 * MIB, s.memReserved());
      assertEquals(24 * 1024 * MIB - 1536 * MIB, s.memFree());
      assertEquals(61, s.tempC());
      assertEquals(250_000, s.powerMw());
      assertEquals(700_000, s.powerLimitMw());
      assertEquals(123_456_789_012L, s.energyMj());
      assertEquals(1980, s.clockSmMhz());
      assertEquals(3201, s.clockMemMhz());
      assertEquals(44, s.fanPct());
      assertEquals(4L, s.throttleReasons());
      assertEquals(2L, s.eccUncorrected());
      assertEquals(DeviceHealth.OK, s.health());
      assertTrue(s.errors().isEmpty(), () -> "errors " + s.errors());
    }
  }

  @Test
  void a_fan_that_is_not_supported_is_null_with_its_cause_and_does_no_harm() {
    try (DeviceSource source = open()) {
      DeviceSample sample = source.sample().get(0);
      assertNull(sample.fanPct());
      assertEquals("NOT_SUPPORTED", sample.errors().get("nvmlDeviceGetFanSpeed"));
      assertEquals(DeviceHealth.OK, sample.health());
    }
  }

  @Test
  void an_old_driver_costs_only_the_readings_that_it_lacks() {
    driver.says("gpu 0 used 1GiB reserved 512MiB util 37 throttle 4 process 77 512MiB");
    try (DeviceSource source = openOld()) {
      DeviceSample sample = source.sample().get(0);
      assertEquals(37, sample.utilGpu());
      assertEquals(1536 * MIB, sample.memUsed(), "version 1 counts reserved memory as used");
      assertNull(sample.memReserved());
      assertEquals(4L, sample.throttleReasons());
      assertEquals(List.of(new DeviceProcess(77, 512 * MIB)), sample.processes());
      assertNull(sample.energyMj());
      assertEquals(
          "FUNCTION_NOT_FOUND", sample.errors().get("nvmlDeviceGetTotalEnergyConsumption"));
      assertEquals(DeviceHealth.OK, sample.health());
      assertEquals("0000:10:00.0", source.inventory().get(0).pciBusId());
    }
  }

  @Test
  void a_driver_that_refuses_a_newer_version_is_asked_for_the_older() {
    driver.says(
        "gpu 0 used 1GiB process 77 512MiB process 78 1MiB"
            + " fail nvmlDeviceGetMemoryInfo_v2 25"
            + " fail nvmlDeviceGetComputeRunningProcesses_v3 13"
            + " fail nvmlDeviceGetCurrentClocksEventReasons 13 throttle 8");
    try (DeviceSource source = open()) {
      DeviceSample sample = source.sample().get(0);
      assertNull(sample.memReserved());
      assertEquals(1536 * MIB, sample.memUsed());
      assertEquals(8L, sample.throttleReasons());
      assertEquals(
          List.of(new DeviceProcess(77, 512 * MIB), new DeviceProcess(78, MIB)),
          sample.processes());
    }
  }

  @Test
  void entries_of_32_bytes_behind_the_symbol_of_version_3_are_recognised() {
    driver.says("processes entries 32", "gpu 0 process 77 512MiB process 78 none process 79 3MiB");
    try (DeviceSource source = open()) {
      assertEquals(
          List.of(
              new DeviceProcess(77, 512 * MIB),
              new DeviceProcess(78, null),
              new DeviceProcess(79, 3 * MIB)),
          source.sample().get(0).processes());
    }
  }

  @Test
  void memory_of_a_process_that_the_driver_does_not_know_is_null() {
    driver.says("gpu 0 process 77 none");
    try (DeviceSource source = open()) {
      assertEquals(List.of(new DeviceProcess(77, null)), source.sample().get(0).processes());
    }
  }

  @Test
  void more_processes_than_expected_are_all_listed() {
    String[] processes =
        IntStream.rangeClosed(1, 150)
            .mapToObj(pid -> "gpu 0 process " + pid + " 1MiB")
            .toArray(String[]::new);
    driver.says(processes);
    try (DeviceSource source = open()) {
      assertEquals(150, source.sample().get(0).processes().size());
    }
  }

  @Test
  void process_lists_are_read_every_5_seconds_and_when_asked_for() {
    driver.says("gpu 0 process 77 1MiB");
    try (DeviceSource source = open()) {
      assertNotNull(source.sample().get(0).processes());
      ticker.advance(Duration.ofMillis(4_999));
      assertNull(source.sample().get(0).processes());
      ticker.advance(Duration.ofMillis(1));
      assertNotNull(source.sample().get(0).processes());
      assertNull(source.sample().get(0).processes());
      source.refreshProcesses();
      assertNotNull(source.sample().get(0).processes());
      assertNull(source.sample().get(0).processes());
      assertEquals(3, loaded.counter("process_calls"));
    }
  }

  @Test
  void energy_of_a_reloaded_driver_is_counted_on() {
    EnergyCounterSum meter = new EnergyCounterSum();
    try (DeviceSource source = open()) {
      for (int energy : new int[] {1000, 1500, 40, 100}) {
        driver.says("gpu 0 energy " + energy);
        meter.add(source.sample().get(0).energyMj());
      }
    }
    assertEquals(600, meter.sum());
  }

  @Test
  void a_utilisation_above_100_is_discarded() {
    driver.says("gpu 0 util 4711");
    try (DeviceSource source = open()) {
      DeviceSample sample = source.sample().get(0);
      assertNull(sample.utilGpu());
      assertEquals("OUT_OF_RANGE 4711", sample.errors().get("nvmlDeviceGetUtilizationRates"));
    }
  }

  @Test
  void a_utilisation_that_is_not_supported_leaves_the_rest() {
    driver.says("gpu 0 util unsupported temp 50");
    try (DeviceSource source = open()) {
      DeviceSample sample = source.sample().get(0);
      assertNull(sample.utilGpu());
      assertEquals(50, sample.tempC());
      assertEquals(DeviceHealth.OK, sample.health());
    }
  }

  @Test
  void a_lost_gpu_keeps_the_others() {
    driver.says("gpus 3");
    try (DeviceSource source = open()) {
      driver.says("gpus 3", "gpu 1 lost", "gpu 2 util 5");
      List<DeviceSample> samples = source.sample();
      assertEquals(DeviceHealth.OK, samples.get(0).health());
      assertEquals(DeviceHealth.LOST, samples.get(1).health());
      assertNull(samples.get(1).utilGpu());
      assertEquals("GPU_IS_LOST", samples.get(1).errors().get("nvmlDeviceGetUtilizationRates"));
      assertEquals(1, samples.get(1).errors().size(), "a lost GPU is asked once");
      assertEquals(DeviceHealth.OK, samples.get(2).health());
      assertEquals(5, samples.get(2).utilGpu());
    }
  }

  /** A program may count the others without it, and would get its neighbour's. */
  @Test
  void gpus_have_no_numbers_for_programs_while_one_of_them_is_lost() {
    driver.says("gpus 3");
    try (DeviceSource source = open()) {
      source.sample();
      List<Integer> counted = source.inventory().stream().map(DeviceInfo::ordinal).toList();
      assertEquals(List.of(0, 1, 2), counted);
      driver.says("gpus 3", "gpu 1 lost");
      source.sample();
      assertTrue(source.inventory().stream().allMatch(gpu -> gpu.ordinal() == null));
    }
  }

  @Test
  void a_gpu_that_needs_a_reset_is_degraded() {
    driver.says("gpus 2");
    try (DeviceSource source = open()) {
      driver.says("gpus 2", "gpu 0 reset", "gpu 1 unknown");
      assertEquals(
          List.of(DeviceHealth.DEGRADED, DeviceHealth.DEGRADED),
          source.sample().stream().map(DeviceSample::health).toList());
    }
  }

  @Test
  void a_gpu_that_is_lost_when_opened_is_left_out() {
    driver.says("gpus 2", "gpu 0 lost");
    try (DeviceSource source = open()) {
      assertEquals(List.of(1), source.inventory().stream().map(DeviceInfo::index).toList());
    }
  }

  @Test
  void only_visible_devices_are_shown_and_read() {
    driver.says("gpus 3", "gpu 2 uuid GPU-third");
    try (DeviceSource source = open("GPU-third")) {
      assertEquals(1, source.inventory().size());
      assertEquals(2, source.inventory().get(0).index());
      assertEquals("GPU-third", source.sample().get(0).id().uuid());
    }
    try (DeviceSource source = open("")) {
      assertEquals(List.of(), source.sample());
    }
  }

  @Test
  void each_opening_is_paired_with_one_shutdown() {
    DeviceSource source = open();
    source.sample();
    source.close();
    source.close();
    assertEquals(1, loaded.counter("init_successes"));
    assertEquals(1, loaded.counter("shutdown_calls"));
    assertEquals(0, loaded.counter("references"));
  }

  @Test
  void a_failed_opening_is_not_shut_down() {
    driver.says("init fail 9");
    DeviceSource source = open();
    assertEquals(List.of(), source.inventory());
    assertTrue(
        source.description().contains("DRIVER_NOT_LOADED"), () -> "was " + source.description());
    source.close();
    assertEquals(1, loaded.counter("init_calls"));
    assertEquals(0, loaded.counter("shutdown_calls"));
  }

  @Test
  void a_reader_that_throws_leaves_the_pairing_intact() {
    DeviceSource source = open();
    SampleProgressListener broken =
        SampleProgressListener.collecting(
            sample -> {
              throw new IllegalStateException("reader");
            });
    assertThrows(IllegalStateException.class, () -> source.sampleEach(broken));
    source.close();
    assertEquals(0, loaded.counter("references"));
    assertEquals(1, loaded.counter("shutdown_calls"));
  }
}
