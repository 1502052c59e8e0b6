package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Running tasks leave their places for urgent ones, save their work, and go on later. */
@Timeout(120)
class PreemptionIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  /** One node of one core for all tests, which begin and end without a live job. */
  @TempDir private static Path home;

  private static Cluster service;

  @TempDir private Path folder;
  private CountingJob counting;

  @BeforeAll
  static void serve() throws IOException {
    service = new Cluster(Installation.find(), home.resolve("h"), Map.of()).serve("--cpus", "1");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  @BeforeEach
  void make() {
    counting = new CountingJob(service, folder);
  }

  @AfterEach
  void leaveNothing() throws IOException {
    service.cancelAll();
  }

  private long urgent(String script) throws IOException {
    return service.submit(script, "priority", 5, "cpus", 1, "workdir", folder.toString());
  }

  private String end(long job) {
    return service.awaitEnd(job).path("state").asText();
  }

  @Test
  void an_urgent_task_gets_the_place_and_the_other_goes_on_from_what_it_has_saved()
      throws Exception {
    long low = counting.start();
    long high = urgent("echo urgent >> log");
    assertEquals("succeeded", end(high));
    service.await(
        "a second attempt after the urgent task",
        SOON,
        () -> Files.readString(folder.resolve("log")).contains("urgent\nbegin 2 at "));
    counting.endsWithOnceEach();
    JsonNode shown = service.client().get("/jobs/" + low).path("attempts").path(0);
    assertEquals(1, shown.path("preemptions").asInt(), shown.toString());
    assertTrue(shown.path("lostMillis").asLong() > 0, shown.toString());
  }

  @Test
  void both_sides_are_explained() throws Exception {
    long low = counting.start();
    counting.keepsItsPlace();
    long high = urgent("true");
    service.awaitState(low, "stopping");
    String why = service.cli("explain", Long.toString(high)).out();
    assertTrue(
        why.matches("(?s).*asked to leave for it, which takes up to .*: " + low + "\\.0.*"), why);
    String left = service.cli("explain", Long.toString(low)).out();
    assertTrue(left.contains("preempted by task " + high + ".0"), left);
    counting.mayLeave();
    assertEquals("succeeded", end(high));
    service.awaitState(low, "running");
  }

  @Test
  void it_saves_and_goes_on_though_its_agent_is_killed_meanwhile() throws Exception {
    long low = counting.start();
    counting.keepsItsPlace();
    long high = urgent("true");
    service.awaitState(low, "stopping");
    service.killAgents();
    counting.mayLeave();
    assertEquals("succeeded", end(high));
    service.awaitState(low, "running");
    counting.endsWithOnceEach();
  }

  @Test
  void a_job_is_requeued_by_hand_and_may_be_held() throws Exception {
    long low = counting.start();
    cli("requeue", Long.toString(low));
    service.await(
        "a second attempt",
        SOON,
        () -> Files.readString(folder.resolve("log")).contains("begin 2 at "));
    service.awaitState(low, "running");
    cli("requeue", "--hold", Long.toString(low));
    service.awaitState(low, "held");
    cli("release", Long.toString(low));
    service.awaitState(low, "running");
    counting.endsWithOnceEach();
  }

  @Test
  void the_preemptible_tasks_of_a_drained_node_leave_it() throws Exception {
    long low = counting.start();
    cli("drain", "--move", node());
    service.awaitState(low, "waiting");
    cli("resume", node());
    service.awaitState(low, "running");
    counting.endsWithOnceEach();
  }

  @Test
  void a_task_that_has_run_for_less_than_its_minimum_keeps_its_place() throws Exception {
    long low =
        service.submit(
            "until [ -e go ]; do sleep 0.1; done",
            "preemptible",
            true,
            "preemptAfter",
            "1h",
            "workdir",
            folder.toString());
    service.awaitState(low, "running");
    long high = urgent("true");
    service.await("why it waits", SOON, () -> explanation(high).contains(node() + ": "));
    Files.createFile(folder.resolve("go"));
    assertEquals("succeeded", end(high));
    assertEquals("succeeded", end(low));
    assertEquals(
        1, service.client().get("/jobs/" + low).path("attempts").path(0).path("attempt").asInt());
  }

  private static String explanation(long job) throws IOException {
    return service.client().get("/jobs/" + job + "/explain").toString();
  }

  private static String node() throws IOException {
    return service.client().get("/nodes").path("nodes").path(0).path("name").asText();
  }

  private static void cli(String... arguments) throws IOException {
    assertEquals(0, service.cli(arguments).code());
  }
}
