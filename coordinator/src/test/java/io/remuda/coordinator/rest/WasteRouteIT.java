package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wasted, over HTTP and in {@code remuda usage}. */
class WasteRouteIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 1",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB process 1 5GiB util 3 temp 61"
                    + " power 250000 limit 700000 clock 1980");
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static JsonNode waste() throws IOException {
    return service.client().get("/waste");
  }

  @Test
  void a_process_that_is_not_ours_is_named_with_what_ends_it() throws IOException {
    service.await("the squatter", SOON, () -> waste().path("rows").size() == 1);
    JsonNode row = waste().at("/rows/0");
    String node = service.client().get("/nodes").at("/nodes/0/name").asText();
    assertEquals("squatter", row.path("kind").asText());
    assertEquals(node + ":0", row.path("gpu").asText());
    assertEquals("ssh " + node + " kill 1", row.path("command").asText());
    String told = service.cli("usage").out();
    assertTrue(told.contains(row.path("text").asText()), told);
    JsonNode json = RestClient.JSON.readTree(service.cli("usage", "--json").out());
    assertEquals("squatter", json.at("/waste/rows/0/kind").asText());
  }

  @Test
  void the_sums_are_those_of_usage() throws IOException {
    String job = service.cli("submit", "--quiet", "--cpus", "0", "--", "true").out().strip();
    assertEquals(0, service.cli("wait", job).code());
    service.await("its sum", SOON, () -> waste().at("/users/0/jobs").asInt() == 1);
    for (String by : new String[] {"user", "type", "node"}) {
      JsonNode sums = service.client().get("/usage?by=" + by).path("sums");
      assertEquals(sums, waste().path(by + "s"), by);
    }
    service.await("a gap", SOON, () -> waste().path("gaps").size() > 0);
  }

  @Test
  void what_runs_counts_with_what_it_has_held_so_far() throws IOException {
    String job =
        service
            .cli("submit", "--quiet", "--cpus", "1", "--type", "runs", "--", "sleep", "600")
            .out()
            .strip();
    service.await(
        "its hours",
        SOON,
        () -> {
          for (JsonNode sum : service.client().get("/usage?by=type").path("sums")) {
            if (sum.path("name").asText().equals("runs")) {
              return sum.path("cpuHoursHeld").asDouble() > 0 && sum.path("jobs").asInt() == 0;
            }
          }
          return false;
        });
    service.cli("cancel", "--now", "--yes", job);
  }

  @Test
  void a_day_that_is_none_is_refused() {
    RestFailureException no =
        assertThrows(RestFailureException.class, () -> service.client().get("/waste?since=x"));
    assertEquals(400, no.status());
  }
}
