package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job has waited for, over HTTP and in {@code remuda explain}. */
class WaitingRouteIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static JsonNode reasons(String job) throws IOException {
    return service.client().get("/jobs/" + job + "/waiting").path("reasons");
  }

  @Test
  void a_job_says_what_it_has_waited_for_also_after_its_end_and_a_restart() throws IOException {
    String job =
        service.cli("submit", "--quiet", "--hold", "--cpus", "0", "--", "true").out().strip();
    service.await("the hold", SOON, () -> reasons(job).size() == 1);
    JsonNode held = reasons(job).get(0);
    assertEquals("on-hold", held.path("reason").asText());
    assertTrue(held.path("to").isNull(), held::toString);
    assertTrue(held.path("turn").isNull(), held::toString);
    assertEquals(0, held.path("task").asInt());
    assertEquals("it is on hold: remuda release it", held.path("text").asText());
    assertEquals(0, service.cli("release", job).code());
    service.await("the end", SOON, () -> reasons(job).get(0).path("to").isNumber());
    JsonNode over = reasons(job);
    assertEquals(1, over.size(), over::toString);
    String told = service.cli("explain", job).out();
    assertTrue(told.contains("  waited ") && told.contains(": on-hold "), told);
    JsonNode json = RestClient.JSON.readTree(service.cli("explain", "--json", job).out());
    assertEquals(over, json.path("waited"));
    assertTrue(json.path("waitedSince").isNumber());
    service.end();
    service.serve();
    assertEquals(over, reasons(job), "after a restart, too");
  }

  @Test
  void a_job_that_is_not_there_is_not_found() {
    RestFailureException no = assertThrows(RestFailureException.class, () -> reasons("4711"));
    assertEquals(404, no.status());
  }
}
