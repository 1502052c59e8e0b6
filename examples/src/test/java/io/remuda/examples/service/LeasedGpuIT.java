package io.remuda.examples.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.examples.ExampleProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LeasedGpuIT {

  @TempDir private static Path shared;
  private static Cluster service;
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--simulate-gpus", "h200:1");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private ExampleProcess run(String line) throws Exception {
    return run(service, line);
  }

  private ExampleProcess run(Cluster by, String line) throws Exception {
    Map<String, String> home = Map.of("REMUDA_HOME", by.home().toString());
    return ExampleProcess.run(folder, List.of(), home, LeasedGpu.class, "sh", "-c", line);
  }

  private static JsonNode newestLease() throws IOException {
    return service.awaitEnd(service.client().get("/jobs?all&limit=1").at("/jobs/0/id").asLong());
  }

  @Test
  void the_command_sees_the_leased_gpu_and_the_lease_is_given_back() throws Exception {
    String gpu = service.client().get("/nodes").at("/nodes/0/devices/0/uuid").asText();

    ExampleProcess run = run("echo $REMUDA_DEVICES $CUDA_VISIBLE_DEVICES");

    assertEquals(0, run.code(), run::toString);
    assertEquals(gpu + " 0\n", run.out());
    assertEquals("succeeded", newestLease().path("state").asText());
    JsonNode device = service.client().get("/nodes").at("/nodes/0/devices/0");
    assertEquals("free", device.path("state").asText());
  }

  @Test
  void a_command_that_fails_gives_the_lease_back_as_failed() throws Exception {
    ExampleProcess run = run("exit 3");

    assertEquals(3, run.code(), run::toString);
    assertEquals("failed", newestLease().path("state").asText());
  }

  @Test
  void the_server_refuses_a_lease_that_no_node_can_grant() throws Exception {
    try (Cluster without = new Cluster(Installation.find(), folder.resolve("h"), Map.of())) {
      without.serve("--simulate-gpus", "h200:0");

      ExampleProcess run = run(without, "true");

      assertEquals(1, run.code(), run::toString);
      assertTrue(run.err().contains("no node can ever"), run::toString);
    }
  }
}
