package io.remuda.telemetry.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.FakeSysfs;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceSourcesTest {
  @TempDir Path folder;

  @Test
  void a_machine_without_driver_has_no_devices_and_says_why() {
    String missing = folder.resolve("libnone.so").toString();
    try (DeviceSource source = DeviceSources.open(Map.of("REMUDA_NVML_LIBRARY", missing))) {
      assertEquals(List.of(), source.inventory());
      assertEquals(List.of(), source.sample());
      assertTrue(source.description().contains(missing), () -> "was " + source.description());
      assertEquals(1, source.description().lines().count(), source.description());
    }
  }

  @Test
  void a_driver_that_fails_to_open_leaves_a_source_that_says_why() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("init fail 999");
    driver.loaded();
    try (DeviceSource source = DeviceSources.open(driver.environment())) {
      assertEquals(List.of(), source.inventory());
      assertTrue(
          source.description().contains("UNKNOWN (999)"), () -> "was " + source.description());
    }
  }

  @Test
  void the_granted_devices_of_a_batch_system_are_the_whole_world() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 4");
    driver.loaded();
    Map<String, String> environment = new HashMap<>(driver.environment());
    environment.put("CUDA_VISIBLE_DEVICES", "1,3");
    try (DeviceSource source = DeviceSources.open(environment)) {
      assertEquals(List.of(1, 3), source.inventory().stream().map(d -> d.index()).toList());
    }
  }

  private List<Integer> ordinals(SimulatedDriver driver, String visible) {
    driver.loaded();
    Map<String, String> environment = new HashMap<>(driver.environment());
    if (visible != null) {
      environment.put("CUDA_VISIBLE_DEVICES", visible);
    }
    try (DeviceSource source = DeviceSources.open(environment)) {
      return source.inventory().stream().map(DeviceInfo::ordinal).toList();
    }
  }

  @Test
  void programs_count_gpus_as_the_driver_does() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 3");
    assertEquals(List.of(0, 1, 2), ordinals(driver, null));
    assertEquals(List.of(0, 1, 2), ordinals(driver, "2,0,1"), "all of them");
  }

  @Test
  void where_some_gpus_are_not_seen_the_others_have_no_number() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 3");
    assertEquals(Arrays.asList(null, null), ordinals(driver, "0,1"));
  }

  @Test
  void a_lost_gpu_leaves_the_others_without_numbers() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 3", "gpu 1 lost");
    assertTrue(ordinals(driver, null).stream().allMatch(Objects::isNull));
  }

  @Test
  void by_uuid_alone_no_gpu_has_a_number() {
    try (DeviceSource source =
        new UncountedDeviceSource(DeviceSources.simulated("h200:2", "here"))) {
      assertEquals(
          Arrays.asList(null, null), source.inventory().stream().map(DeviceInfo::ordinal).toList());
      assertEquals(2, source.sample().size());
    }
    try (DeviceSource source = DeviceSources.simulated("h200:2", "here")) {
      assertEquals(List.of(0, 1), source.inventory().stream().map(DeviceInfo::ordinal).toList());
    }
  }

  @Test
  void a_machine_with_gpus_of_two_makers_shows_both_each_as_its_own_variable_allows() {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 2");
    driver.loaded();
    FakeSysfs sysfs =
        new FakeSysfs(folder.resolve("sys"))
            .gpu(1, "0000:03:00.0", "a1b2c3d4e5f60718")
            .gpu(2, "0000:83:00.0", "a1b2c3d4e5f60719");
    Map<String, String> environment = new HashMap<>(driver.environment());
    environment.put("REMUDA_SYSFS", sysfs.path().toString());
    environment.put("CUDA_VISIBLE_DEVICES", "1");
    environment.put("ROCR_VISIBLE_DEVICES", "0");
    try (DeviceSource source = DeviceSources.open(environment)) {
      assertEquals(
          List.of("GPU-00000002-0000-4000-8000-000000000000", "GPU-a1b2c3d4e5f60718"),
          source.inventory().stream().map(device -> device.id().uuid()).toList());
      assertEquals(
          List.of(DeviceHealth.OK, DeviceHealth.OK),
          source.sample().stream().map(DeviceSample::health).toList());
      assertTrue(source.description().contains("amdgpu"), source.description());
    }
  }

  @Test
  void simulated_devices_follow_their_specification() {
    try (DeviceSource source = DeviceSources.simulated("h200:4,a100:4", "seed")) {
      assertEquals(8, source.inventory().size());
      assertEquals("NVIDIA H200", source.inventory().get(3).name());
      assertEquals("NVIDIA A100-SXM4-80GB", source.inventory().get(4).name());
    }
    assertThrows(IllegalArgumentException.class, () -> DeviceSources.simulated("h9000:1", "s"));
  }

  @Test
  void a_variable_that_does_not_hide_simulated_devices_is_told_of() {
    assertEquals(
        Optional.of(
            "CUDA_VISIBLE_DEVICES=0,1 is for this machine's own GPUs: all simulated ones are lent"),
        DeviceSources.simulationNote(Map.of("CUDA_VISIBLE_DEVICES", "0,1")));
    assertEquals(
        Optional.empty(), DeviceSources.simulationNote(Map.of("CUDA_VISIBLE_DEVICES", "")));
    assertEquals(Optional.empty(), DeviceSources.simulationNote(Map.of()));
  }
}
