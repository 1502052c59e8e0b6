package io.remuda.telemetry.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.ManualTicker;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** GPU 0 is whole, GPU 1 is divided, with holes between its instances; GPU 2 has no instance. */
class MigTest {
  private static final long GIB = 1L << 30;

  @TempDir Path folder;
  private SimulatedDriver driver;

  @BeforeEach
  void divideGpu1() {
    driver = SimulatedDriver.in(folder);
    driver.loaded();
    driver.says(
        "gpus 3",
        "gpu 0 uuid GPU-aa util 37",
        "gpu 1 uuid GPU-bb mig temp 55",
        "gpu 2 uuid GPU-cc mig",
        "gpu 10 mig-of 1 0 uuid MIG-b0 name \"NVIDIA H100 MIG 1g.10gb\" memory 10GiB used 2GiB"
            + " process 4242 2GiB",
        "gpu 11 mig-of 1 3 uuid MIG-b3 memory 20GiB");
  }

  private DeviceSource open(String visible) {
    return NvmlDeviceSource.open(driver.library().toString(), visible, new ManualTicker());
  }

  @Test
  void neither_instances_nor_whole_gpus_beside_them_have_a_number() {
    try (DeviceSource source = open(null)) {
      assertTrue(source.inventory().stream().allMatch(device -> device.ordinal() == null));
    }
  }

  @Test
  void an_instance_is_a_device_of_its_own_in_place_of_its_gpu() {
    try (DeviceSource source = open(null)) {
      List<DeviceInfo> devices = source.inventory();
      assertEquals(
          List.of("GPU-aa", "MIG-b0", "MIG-b3"),
          devices.stream().map(device -> device.id().uuid()).toList());
      assertEquals("GPU-bb", devices.get(1).physical().uuid());
      assertEquals("NVIDIA H100 MIG 1g.10gb", devices.get(1).name());
      assertEquals(10 * GIB, devices.get(1).memoryTotalBytes());
      assertEquals(
          List.of("0", "1:0", "1:3"), source.sample().stream().map(DeviceSample::number).toList());
    }
  }

  @Test
  void what_an_instance_cannot_tell_is_missing_and_it_is_well() {
    try (DeviceSource source = open(null)) {
      DeviceSample instance = source.sample().get(1);
      assertNull(instance.utilGpu());
      assertNull(instance.tempC());
      assertEquals(2 * GIB, instance.memUsed());
      assertEquals(DeviceHealth.OK, instance.health());
      assertEquals(1, instance.processes().size());
    }
  }

  @Test
  void a_whole_gpu_beside_divided_ones_is_read_as_ever() {
    try (DeviceSource source = open(null)) {
      assertEquals(37, source.sample().get(0).utilGpu());
    }
  }

  @ParameterizedTest(name = "\"{0}\" shows \"{1}\"")
  @CsvSource(
      delimiter = '|',
      value = {
        "1               | MIG-b0 MIG-b3",
        "GPU-b           | MIG-b0 MIG-b3",
        "MIG-b3          | MIG-b3",
        "MIG-b3,0        | GPU-aa MIG-b3",
        "MIG-b           | ''",
        "MIG-b0,1        | MIG-b0",
        "2               | ''",
      })
  void an_index_a_uuid_and_the_beginning_of_one_restrict(String visible, String uuids) {
    try (DeviceSource source = open(visible)) {
      assertEquals(
          uuids,
          source.inventory().stream()
              .map(device -> device.id().uuid())
              .collect(Collectors.joining(" ")));
    }
  }

  @Test
  void an_instance_that_is_taken_away_is_lost_and_the_others_are_not() {
    try (DeviceSource source = open(null)) {
      driver.says(
          "gpus 3",
          "gpu 0 uuid GPU-aa",
          "gpu 11 mig-of 1 3 uuid MIG-b3",
          "gpu 10 mig-of 1 0 uuid MIG-b0 lost");
      List<DeviceHealth> health = source.sample().stream().map(DeviceSample::health).toList();
      assertEquals(List.of(DeviceHealth.OK, DeviceHealth.LOST, DeviceHealth.OK), health);
    }
  }
}
