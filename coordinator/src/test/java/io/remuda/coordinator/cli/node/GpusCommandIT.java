package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The GPUs of this machine as a user meets them, while no run is under way. */
class GpusCommandIT {
  private static final Duration SOON = Duration.ofSeconds(120);

  @TempDir private Path folder;
  private SimulatedDriver driver;
  private Cluster none;
  private String machine;

  @BeforeEach
  void oneWholeGpuAndAnInstance() throws IOException {
    driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 2",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37 temp 61"
                    + " power 250000 limit 700000",
                "gpu 1 mig",
                "gpu 9 mig-of 1 3 uuid MIG-b3 name \"NVIDIA H200 MIG\" memory 18GiB used 0");
    driver.loaded(); // for commands that run in this process
    none = new Cluster(Installation.find(), folder.resolve("home"), driver.environment());
    machine = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  @AfterEach
  void leaveNothing() {
    none.close();
  }

  @Test
  void json_is_one_array_with_this_machine_and_without_a_run() throws IOException {
    Result gpus = none.cli("gpus", "--json");
    assertEquals(0, gpus.code(), gpus::toString);
    assertEquals(1, gpus.out().lines().count(), gpus::toString);
    JsonNode all = new JsonMapper().readTree(gpus.out());
    assertEquals(1, all.size(), gpus::toString);
    assertFalse(all.get(0).has("run"), gpus::toString);
    assertEquals(machine, all.at("/0/nodes/0/name").asText());
    JsonNode devices = all.at("/0/nodes/0/gpus");
    assertEquals(2, devices.size(), gpus::toString);
    assertEquals(
        "{\"number\":\"0\",\"uuid\":\"GPU-aa\",\"name\":\"NVIDIA H200\",\"utilization\":37,"
            + "\"memoryUsedBytes\":1073741824,\"memoryTotalBytes\":150323855360,"
            + "\"temperatureCelsius\":61,\"powerWatts\":250.0,\"powerLimitWatts\":700.0,"
            + "\"health\":\"OK\"}",
        devices.get(0).toString());
    assertEquals("1:3", devices.get(1).get("number").asText());
    assertFalse(devices.get(1).has("utilization"), gpus::toString);
  }

  @Test
  void for_people_each_gpu_is_a_line() throws IOException {
    Result gpus = none.cli("gpus");
    assertEquals(0, gpus.code(), gpus::toString);
    assertEquals(
        List.of(
            machine + " [0  ] NVIDIA H200     | 61°C,  37 %, 250 / 700 W |   1024 / 143360 MiB",
            machine + " [1:3] NVIDIA H200 MIG |  n/a,  n/a |      0 /  18432 MiB"),
        gpus.out().lines().toList(),
        gpus::toString);
  }

  @Test
  void a_machine_without_gpus_says_so() throws IOException {
    driver.says("gpus 0");
    Result gpus = none.cli("gpus");
    assertEquals(0, gpus.code(), gpus::toString);
    assertEquals(1, gpus.out().lines().count(), gpus::toString);
    assertTrue(gpus.out().startsWith(machine + " no GPU, load "), gpus::toString);
  }

  @Test
  void watched_they_are_shown_again_as_they_change() throws IOException {
    none.start("watched", "gpus", "--watch", "--json");
    none.await("a first array", SOON, () -> watched().contains("\"utilization\":37"));
    driver.says("gpus 1", "gpu 0 uuid GPU-aa util 82");
    none.await("a later one", SOON, () -> watched().contains("\"utilization\":82"));
    assertTrue(watched().lines().allMatch(line -> line.startsWith("[{")), watched());
  }

  private String watched() throws IOException {
    return Files.readString(folder.resolve("watched.out"));
  }

  @Test
  void a_driver_that_hangs_delays_the_answer_and_no_more() throws IOException {
    driver.says("gpus 2", "hang init");
    Result gpus = none.cli("gpus");
    assertEquals(0, gpus.code(), gpus::toString);
    assertTrue(gpus.out().startsWith(machine + " no GPU"), gpus::toString);
  }
}
