package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The GPUs of this machine as a user meets them, while no run is under way. */
class GpusCommandIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir private Path folder;
  private final Installation installation = Installation.find();
  private final List<EnsembleProcess> started = new ArrayList<>();
  private SimulatedDriver driver;
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
    machine = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  @AfterEach
  void leaveNothing() {
    started.forEach(EnsembleProcess::close);
  }

  private EnsembleProcess gpus(String... options) {
    List<String> arguments = new ArrayList<>(List.of("gpus"));
    arguments.addAll(List.of(options));
    EnsembleProcess process =
        EnsembleProcess.start(
            installation, folder.resolve("home"), driver.environment(), arguments);
    started.add(process);
    return process;
  }

  @Test
  void json_is_one_array_with_this_machine_and_without_a_run() throws IOException {
    EnsembleProcess gpus = gpus("--json");
    assertEquals(0, gpus.awaitExit(LIMIT), gpus::describe);
    assertEquals(1, gpus.out().size(), gpus::describe);
    JsonNode all = new JsonMapper().readTree(gpus.out().get(0));
    assertEquals(1, all.size(), gpus::describe);
    assertFalse(all.get(0).has("run"), gpus::describe);
    assertEquals(machine, all.at("/0/nodes/0/name").asText());
    JsonNode devices = all.at("/0/nodes/0/gpus");
    assertEquals(2, devices.size(), gpus::describe);
    assertEquals(
        "{\"number\":\"0\",\"uuid\":\"GPU-aa\",\"name\":\"NVIDIA H200\",\"utilization\":37,"
            + "\"memoryUsedBytes\":1073741824,\"memoryTotalBytes\":150323855360,"
            + "\"temperatureCelsius\":61,\"powerWatts\":250.0,\"powerLimitWatts\":700.0,"
            + "\"health\":\"OK\"}",
        devices.get(0).toString());
    assertEquals("1:3", devices.get(1).get("number").asText());
    assertFalse(devices.get(1).has("utilization"), gpus::describe);
  }

  @Test
  void for_people_each_gpu_is_a_line() {
    EnsembleProcess gpus = gpus();
    assertEquals(0, gpus.awaitExit(LIMIT), gpus::describe);
    assertEquals(
        List.of(
            machine + " [0  ] NVIDIA H200     | 61°C,  37 %, 250 / 700 W |   1024 / 143360 MiB",
            machine + " [1:3] NVIDIA H200 MIG |  n/a,  n/a |      0 /  18432 MiB"),
        gpus.out(),
        gpus::describe);
  }

  @Test
  void a_machine_without_gpus_says_so() {
    driver.says("gpus 0");
    EnsembleProcess gpus = gpus();
    assertEquals(0, gpus.awaitExit(LIMIT), gpus::describe);
    assertEquals(1, gpus.out().size(), gpus::describe);
    assertTrue(gpus.out().get(0).startsWith(machine + " no GPU, load "), gpus::describe);
  }

  @Test
  void watched_they_are_shown_again_as_they_change() {
    EnsembleProcess gpus = gpus("--watch", "--json");
    gpus.awaitLine("a first array", line -> line.contains("\"utilization\":37"), LIMIT);
    driver.says("gpus 1", "gpu 0 uuid GPU-aa util 82");
    gpus.awaitLine("a later one", line -> line.contains("\"utilization\":82"), LIMIT);
    assertTrue(gpus.out().stream().allMatch(line -> line.startsWith("[{")), gpus::describe);
  }

  @Test
  void a_driver_that_hangs_delays_the_answer_and_no_more() {
    driver.says("gpus 2", "hang init");
    EnsembleProcess gpus = gpus();
    assertEquals(0, gpus.awaitExit(LIMIT), gpus::describe);
    assertTrue(gpus.out().get(0).startsWith(machine + " no GPU"), gpus::describe);
  }
}
