package io.remuda.coordinator.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.doctor.DoctorFinding.Verdict;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.testkit.FakeSysfs;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceChecksTest {
  private static final Duration DRIVER = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private SimulatedDriver driver;

  @BeforeEach
  void loadDriver() {
    driver = SimulatedDriver.in(folder);
    driver.loaded();
    environment.putAll(driver.environment());
    environment.put("REMUDA_SYSFS", folder.resolve("sys").toString());
  }

  private DeviceSource open() {
    return DeviceSources.open(environment, DRIVER);
  }

  private static List<DoctorFinding> look(DeviceSource source) {
    return DeviceChecks.look(source, source.sample());
  }

  private List<DoctorFinding> look() {
    try (DeviceSource source = open()) {
      return look(source);
    }
  }

  private static List<String> verdicts(List<DoctorFinding> findings) {
    return findings.stream().map(one -> one.subject() + " " + one.verdict()).toList();
  }

  @Test
  void healthy_gpus_are_counted_by_kind() {
    driver.says(
        "gpus 3",
        "driver 580.65.06",
        "gpu 0 name \"NVIDIA H200\"",
        "gpu 1 name \"NVIDIA L4\"",
        "gpu 2 name \"NVIDIA H200\"");
    List<DoctorFinding> findings = look();
    assertEquals(List.of("gpus GOOD", "driver GOOD"), verdicts(findings));
    assertTrue(
        findings.get(0).found().startsWith("1 x NVIDIA L4, 2 x NVIDIA H200 ("),
        findings.get(0).found());
    assertEquals("580.65.06 supports CUDA 13", findings.get(1).found());
  }

  @ParameterizedTest
  @CsvSource({
    "550.54.14, WARNING",
    "579.99, WARNING",
    "580.00, GOOD",
    "1000.1, GOOD",
    "r580, WARNING"
  })
  void a_driver_of_before_cuda_13_is_old(String version, Verdict verdict) {
    driver.says("gpus 1", "driver " + version);
    DoctorFinding finding = look().get(1);
    assertEquals(verdict, finding.verdict());
    assertTrue(finding.found().startsWith(version), finding.found());
  }

  @Test
  void a_lost_gpu_is_named_by_number_and_uuid_with_the_drivers_answer() {
    driver.says("gpus 2", "driver 580.65.06");
    try (DeviceSource source = open()) {
      driver.says("gpus 2", "driver 580.65.06", "gpu 1 lost");
      List<DoctorFinding> findings = look(source);
      assertEquals(List.of("gpus GOOD", "driver GOOD", "gpu 1 WARNING"), verdicts(findings));
      String found = findings.get(2).found();
      assertTrue(found.startsWith(source.inventory().get(1).id() + " is lost "), found);
      assertTrue(found.contains("GPU_IS_LOST"), found);
    }
  }

  @Test
  void a_gpu_that_asks_for_a_reset_is_degraded() {
    driver.says("gpus 1", "driver 580.65.06");
    try (DeviceSource source = open()) {
      driver.says("gpus 1", "driver 580.65.06", "gpu 0 reset");
      DoctorFinding finding = look(source).get(2);
      assertEquals("gpu 0", finding.subject());
      assertTrue(finding.found().contains(" is degraded "), finding.found());
    }
  }

  @Test
  void an_instance_that_is_lost_is_named_by_gpu_and_slot() {
    driver.says("gpus 1", "gpu 0 mig", "gpu 9 mig-of 0 3");
    try (DeviceSource source = open()) {
      driver.says("gpus 1", "gpu 0 mig", "gpu 9 mig-of 0 3 lost");
      List<DoctorFinding> found = look(source);
      assertTrue(found.stream().anyMatch(one -> one.subject().equals("gpu 0:3")), found::toString);
    }
  }

  @Test
  void a_driver_without_gpus_is_said() {
    driver.says("gpus 0");
    List<DoctorFinding> findings = look();
    assertEquals(List.of("gpus WARNING"), verdicts(findings));
    assertTrue(findings.get(0).found().contains("0 device(s)"), findings.get(0).found());
  }

  @Test
  void no_driver_is_said_with_its_cause() {
    environment.put("REMUDA_NVML_LIBRARY", folder.resolve("no-driver.so").toString());
    List<DoctorFinding> findings = look();
    assertEquals(List.of("gpus WARNING"), verdicts(findings));
    assertTrue(findings.get(0).found().contains("no-driver.so"), findings.get(0).found());
    assertTrue(findings.get(0).todo().contains("CPU"), findings.get(0).todo());
  }

  @Test
  void of_amds_gpus_no_cuda_driver_is_asked() {
    environment.put("REMUDA_NVML_LIBRARY", folder.resolve("no-driver.so").toString());
    new FakeSysfs(folder.resolve("sys")).gpu(0, "0000:c1:00.0", "9a1b2c3d4e5f6071");
    List<DoctorFinding> findings = look();
    assertEquals(List.of("gpus GOOD"), verdicts(findings));
    assertTrue(
        findings.get(0).found().startsWith("1 x AMD Instinct MI300X ("), findings.get(0).found());
  }
}
