package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that a user drains, and why. */
@Timeout(180)
class DrainIT {

  private static final Duration SOON = Duration.ofSeconds(90);

  /** One service for all tests, of which each leaves the node ready. */
  @TempDir private static Path home;

  private static Cluster service;

  @BeforeAll
  static void serve() throws IOException {
    service = new Cluster(Installation.find(), home.resolve("h"), Map.of());
    service.serve("--no-agent");
    service.agent("n1", "--simulate-gpus", "h200:2");
    service.awaitNode("n1", "ready");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  @AfterEach
  void leaveNothing() throws IOException {
    service.cancelAll();
    ok("resume", "n1");
  }

  private static String ok(String... words) throws IOException {
    Result result = service.cli(words);
    assertEquals(0, result.code(), result::toString);
    return result.out();
  }

  private static JsonNode node() throws IOException {
    return service.client().get("/nodes").path("nodes").get(0);
  }

  /** Ends the server, and starts the next one on its state. */
  private static void restartServer(String nodeState) throws IOException {
    service.end();
    service.serve("--no-agent");
    service.awaitNode("n1", nodeState);
  }

  @Test
  void the_reason_of_a_drained_node_is_told_until_it_is_resumed() throws Exception {
    ok("drain", "n1", "--reason", "a new disk");
    long job = service.submit("true");
    service.await(
        "why it waits",
        SOON,
        () ->
            ok("explain", "" + job)
                .contains("n1: is draining (a new disk) and gets no more tasks"));
    restartServer("draining");
    ok("drain", "--move", "n1");
    assertTrue(ok("nodes").contains("\nn1: is draining (a new disk)\n"), ok("nodes"));
    assertTrue(ok("nodes", "n1").contains("\nn1: is draining (a new disk)\n"), ok("nodes"));
    JsonNode shown = RestClient.JSON.readTree(ok("nodes", "--json")).get(0);
    assertEquals("a new disk", shown.path("drainReason").asText());
    assertEquals("draining", shown.path("state").asText());
    ok("resume", "n1");
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertTrue(node().path("drainReason").isNull(), node()::toString);
    assertTrue(node().path("note").isNull(), node()::toString);
    ok("drain", "n1");
    assertFalse(ok("nodes").contains("is draining"), ok("nodes"));
  }

  private static String uuid(int gpu) throws IOException {
    return node().path("devices").get(gpu).path("uuid").asText();
  }

  private static String states() throws IOException {
    return node().path("devices").findValuesAsText("state").toString();
  }

  @Test
  void a_drained_gpu_gets_no_more_tasks_while_what_has_it_and_the_other_go_on() throws Exception {
    long first = service.submit("exec sleep 1000", "gpus", 1);
    service.awaitState(first, "running");
    int held = states().equals("[taken, free]") ? 0 : 1;
    String uuid = uuid(held);
    ok("drain", "n1", "--gpu", "" + held, "--reason", "a fan");
    assertEquals("draining", node().path("devices").get(held).path("state").asText());
    assertEquals("running", service.client().get("/jobs/" + first).path("state").asText());
    long second = service.submit("exec sleep 1000", "gpus", 1);
    service.awaitState(second, "running");
    ok("cancel", "" + first);
    assertEquals("cancelled", service.awaitEnd(first).path("state").asText());
    long third = service.submit("true", "gpus", 1);
    service.await(
        "why it waits",
        SOON,
        () ->
            ok("explain", "" + third)
                .contains("n1: " + uuid + " is draining (a fan) and gets no more tasks"));
    String line = "\nn1: GPU " + held + " (" + uuid + ") is draining (a fan)\n";
    assertTrue(ok("nodes").contains(line), ok("nodes"));
    assertTrue(ok("nodes").contains("0/2"), ok("nodes"));
    service.await("the line of gpus", SOON, () -> ok("gpus").contains("| draining (a fan)"));
    assertTrue(ok("top", "--once").contains("draining: a fan"), ok("top", "--once"));

    restartServer("ready");
    assertEquals("draining", node().path("devices").get(held).path("state").asText());
    assertEquals("waiting", service.client().get("/jobs/" + third).path("state").asText());
    ok("resume", "n1", "--gpu", uuid);
    assertEquals("succeeded", service.awaitEnd(third).path("state").asText());
    assertFalse(ok("nodes").contains("draining"), ok("nodes"));
  }

  @Test
  void what_cannot_be_drained_so_is_refused_and_changes_nothing() throws IOException {
    for (String reason : new String[] {"", "two\nlines", "x".repeat(201)}) {
      Result no = service.cli("drain", "n1", "--reason", reason);
      assertEquals(2, no.code(), no::toString);
      assertTrue(no.err().contains("reason must be 1 to 200 printable characters"), no::toString);
    }
    Result gone = service.cli("drain", "--gone", "n1", "--reason", "");
    assertTrue(gone.err().contains("reason must be 1 to 200"), gone::toString);
    Result noGpu = service.cli("drain", "n1", "--gpu", "0,7");
    assertEquals(1, noGpu.code(), noGpu::toString);
    assertTrue(
        noGpu
            .err()
            .contains("node n1 has no GPU 7: it has 0 (" + uuid(0) + "), 1 (" + uuid(1) + ")"),
        noGpu::toString);
    assertEquals(2, service.cli("drain", "n1", "--gpu", "").code());
    Result unknown = service.cli("drain", "n2", "--reason", "a new disk");
    assertEquals(1, unknown.code(), unknown::toString);
    assertTrue(unknown.err().contains("no node n2 has joined"), unknown::toString);
    assertEquals("[free, free]", states());
    assertEquals("ready", node().path("state").asText());
    ok("drain", "n1", "--reason", "x".repeat(200));
    assertEquals("x".repeat(200), node().path("drainReason").asText());
  }
}
