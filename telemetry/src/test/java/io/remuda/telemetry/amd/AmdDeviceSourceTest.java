package io.remuda.telemetry.amd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.FakeSysfs;
import io.remuda.telemetry.testkit.ManualTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AmdDeviceSourceTest {
  private static final String ONE = "a1b2c3d4e5f60718";
  private static final String OTHER = "00b2c3d4e5f60719";
  private static final long GIB = 1L << 30;

  @TempDir Path folder;
  private final ManualTicker ticker = new ManualTicker();
  private FakeSysfs sysfs;

  @BeforeEach
  void layOut() {
    sysfs = new FakeSysfs(folder).gpu(1, "0000:83:00.0", ONE);
  }

  private DeviceSource open(String visible) {
    return AmdDeviceSource.open(folder, visible, ticker);
  }

  private DeviceSample sample() {
    try (DeviceSource source = open(null)) {
      return source.sample().get(0);
    }
  }

  @Test
  void every_reading_of_the_kernel_arrives_with_its_unit() {
    DeviceSample sample = sample();
    assertEquals("GPU-" + ONE, sample.id().uuid());
    assertEquals(37, sample.utilGpu());
    assertEquals(12, sample.utilMem());
    assertEquals(192 * GIB, sample.memTotal());
    assertEquals(3 * GIB, sample.memUsed());
    assertEquals(189 * GIB, sample.memFree());
    assertEquals(61, sample.tempC());
    assertEquals(250_000, sample.powerMw());
    assertEquals(750_000, sample.powerLimitMw());
    assertEquals(2100, sample.clockSmMhz());
    assertEquals(1300, sample.clockMemMhz());
    assertEquals(2, sample.eccUncorrected());
    assertEquals(DeviceHealth.OK, sample.health());
  }

  @Test
  void a_reading_that_a_card_does_not_offer_is_missing_and_no_fault() {
    DeviceSample sample = sample();
    assertNull(sample.fanPct());
    assertEquals("NOT_SUPPORTED", sample.errors().get("pwm1"));
    assertEquals(DeviceHealth.OK, sample.health());
  }

  @Test
  void the_fan_is_a_share_of_its_greatest_pulse_width() {
    sysfs.write(FakeSysfs.hwmon(1) + "pwm1", "51").write(FakeSysfs.hwmon(1) + "pwm1_max", "255");
    assertEquals(20, sample().fanPct());
  }

  @Test
  void a_newer_card_tells_its_power_at_the_moment() {
    sysfs.remove(FakeSysfs.hwmon(1) + "power1_average");
    sysfs.write(FakeSysfs.hwmon(1) + "power1_input", "99000000");
    assertEquals(99_000, sample().powerMw());
  }

  @Test
  void a_value_that_is_no_number_degrades_the_card_and_costs_that_value_only() {
    sysfs.write(FakeSysfs.device(1) + "gpu_busy_percent", "busy");
    DeviceSample sample = sample();
    assertNull(sample.utilGpu());
    assertEquals(61, sample.tempC());
    assertEquals(DeviceHealth.DEGRADED, sample.health());
  }

  @Test
  void a_card_that_falls_off_the_bus_is_lost_and_the_other_goes_on() {
    sysfs.gpu(2, "0000:c3:00.0", OTHER);
    try (DeviceSource source = open(null)) {
      sysfs.remove("class/drm/card1");
      List<DeviceHealth> health = source.sample().stream().map(DeviceSample::health).toList();
      assertEquals(List.of(DeviceHealth.LOST, DeviceHealth.OK), health);
    }
  }

  @Test
  void cards_are_in_pci_order_and_others_makers_and_nameless_ones_are_left_out() {
    sysfs.gpu(0, "0000:03:00.0", OTHER);
    sysfs.gpu(4, "0000:04:00.0", "0").gpu(5, "0000:05:00.0", ONE);
    sysfs.write(FakeSysfs.device(5) + "vendor", "0x10de");
    sysfs.write("class/drm/card1-DP-1/status", "connected");
    try (DeviceSource source = open(null)) {
      List<DeviceInfo> devices = source.inventory();
      assertEquals(
          List.of("GPU-" + OTHER, "GPU-" + ONE),
          devices.stream().map(device -> device.id().uuid()).toList());
      assertTrue(devices.stream().allMatch(device -> device.vendor() == DeviceVendor.AMD));
    }
  }

  @Test
  void an_index_and_an_identifier_restrict() {
    sysfs.gpu(2, "0000:c3:00.0", OTHER);
    try (DeviceSource second = open("1");
        DeviceSource byName = open("GPU-" + ONE);
        DeviceSource none = open("")) {
      assertEquals("GPU-" + OTHER, second.inventory().get(0).id().uuid());
      assertEquals("GPU-" + ONE, byName.inventory().get(0).id().uuid());
      assertEquals(List.of(), none.inventory());
    }
  }

  @Test
  void a_machine_without_amdgpu_has_no_device() {
    try (DeviceSource source = AmdDeviceSource.open(folder.resolve("nowhere"), null, ticker)) {
      assertEquals(List.of(), source.inventory());
      assertEquals(List.of(), source.sample());
    }
  }

  @Test
  void processes_are_read_at_first_every_five_seconds_and_when_asked_for() {
    sysfs.kfd(0, 0, "").kfd(1, 4711, ONE).process(1234, 4711, 2 * GIB).process(99, 12, GIB);
    List<DeviceProcess> found = List.of(new DeviceProcess(1234, 2 * GIB));
    try (DeviceSource source = open(null)) {
      assertEquals(found, source.sample().get(0).processes());
      assertNull(source.sample().get(0).processes());
      ticker.advance(Duration.ofSeconds(5));
      assertEquals(found, source.sample().get(0).processes());
      source.refreshProcesses();
      assertEquals(found, source.sample().get(0).processes());
    }
  }

  private List<Integer> ordinals(String visible) {
    try (DeviceSource source = open(visible)) {
      return source.inventory().stream().map(DeviceInfo::ordinal).toList();
    }
  }

  @Test
  void programs_count_cards_in_the_order_of_kfd() {
    sysfs.gpu(2, "0000:03:00.0", OTHER); // before the other one on the bus
    sysfs.kfd(0, 0, "").kfd(2, 4711, ONE).kfd(10, 4712, OTHER);
    assertEquals(List.of(1, 0), ordinals(null));
  }

  @Test
  void a_card_that_kfd_does_not_list_or_that_is_not_the_only_one_seen_has_no_number() {
    assertEquals(Arrays.asList((Integer) null), ordinals(null));
    sysfs.gpu(2, "0000:03:00.0", OTHER).kfd(1, 4711, ONE).kfd(2, 4712, OTHER);
    assertEquals(Arrays.asList((Integer) null), ordinals("0"));
  }
}
