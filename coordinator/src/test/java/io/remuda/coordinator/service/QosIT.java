package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that fill holes, and jobs that are first for a time, on a node with one GPU. */
@Timeout(240)
class QosIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private Cluster service;

  @BeforeEach
  void serve() throws Exception {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "8", "--simulate-gpus", "h200:1");
  }

  @AfterEach
  void end() {
    service.close();
  }

  private JsonNode array(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("terms").path("array");
  }

  @Test
  void a_scavenger_leaves_for_another_job_and_goes_on_when_that_has_ended() throws Exception {
    long scavenger = service.submit("sleep 600", "gpus", 1, "qos", "scavenger");
    service.awaitState(scavenger, "running");
    long other = service.submit("sleep 0.2", "gpus", 1);
    service.awaitEnd(other);
    service.awaitState(scavenger, "running");
    JsonNode task = service.client().get("/jobs/" + scavenger).path("attempts").path(0);
    assertEquals(1, task.path("preemptions").asInt(), task::toString);
    String shown = service.cli("show", Long.toString(scavenger)).out();
    assertTrue(shown.contains("qos scavenger, policy"), shown);
    assertEquals(0, service.cli("cancel", Long.toString(scavenger)).code());
    service.awaitEnd(scavenger);
    service.await(
        "rows of their own",
        SOON,
        () ->
            service.cli("usage").out().contains(System.getProperty("user.name") + " (scavenger)"));
  }

  @Test
  void a_time_to_be_first_outlives_the_server_and_ends() throws Exception {
    long holds = service.submit("sleep 600", "gpus", 1);
    service.awaitState(holds, "running");
    service.submit("true", "gpus", 1);
    long first = service.submit("true", "gpus", 1);
    Result set = service.cli("set", Long.toString(first), "--first", "--until", "now+1h");
    assertEquals(0, set.code(), set::err);
    String until = array(first).path("firstUntil").asText();
    service.end();
    service.serve("--cpus", "8", "--simulate-gpus", "h200:1");
    assertEquals(until, array(first).path("firstUntil").asText());
    String shown = service.cli("show", Long.toString(first)).out();
    assertTrue(shown.contains("before its user's other jobs until "), shown);

    Result soon = service.cli("set", Long.toString(first), "--first", "--until", "now+2s");
    assertEquals(0, soon.code(), soon::err);
    service.await("it falls back", SOON, () -> array(first).isMissingNode());
    Result over =
        service.cli("set", Long.toString(first), "--first", "--until", "2026-01-01T00:00:00Z");
    assertEquals(2, over.code(), over::err);
    assertTrue(over.err().contains("must be a time to come"), over::err);
  }
}
