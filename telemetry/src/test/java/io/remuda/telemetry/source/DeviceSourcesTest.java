package io.remuda.telemetry.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  @Test
  void simulated_devices_follow_their_specification() {
    try (DeviceSource source = DeviceSources.simulated("h200:4,a100:4", "seed")) {
      assertEquals(8, source.inventory().size());
      assertEquals("NVIDIA H200", source.inventory().get(3).name());
      assertEquals("NVIDIA A100-SXM4-80GB", source.inventory().get(4).name());
    }
    assertThrows(IllegalArgumentException.class, () -> DeviceSources.simulated("h9000:1", "s"));
  }
}
