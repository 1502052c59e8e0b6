package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Running tasks leave their places for urgent ones, save their work, and go on later. */
@Timeout(120)
class PreemptionIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  /**
   * Counts up once in 0.1 s from where its last attempt has saved, and saves when it is asked; its
   * log has each number once. It does not leave while there is a file {@code keep}. Ends at 1000,
   * or as soon as there is a file {@code enough}.
   */
  private static final String COUNTS =
      "n=$(cat saved 2>/dev/null || echo 0);"
          + " save() { while [ -e keep ]; do sleep 0.1; done; sleep 1; echo $n > draft; mv draft saved; exit 0; }; trap save USR1;"
          + " echo begin $REMUDA_ATTEMPT at $n >> log;"
          + " while [ $n -lt 1000 ] && [ ! -e enough ]; do n=$((n+1)); echo $n >> numbers;"
          + " touch ready; sleep 0.1; done";

  @TempDir private Path folder;
  private ServiceProcess service;

  @BeforeEach
  void make() throws Exception {
    service = new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "1");
  }

  @AfterEach
  void end() {
    service.close();
  }

  private long counting() throws Exception {
    long job =
        service.submit(
            COUNTS,
            "preemptible",
            true,
            "preemptSignal",
            "USR1",
            "preemptAfter",
            "0s",
            "grace",
            "10m", // until the test lets it leave, however busy the machine is
            "cpus",
            1);
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    return job;
  }

  private long urgent(String script) throws Exception {
    return service.submit(script, "priority", 5, "cpus", 1);
  }

  private String state(long job) throws Exception {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  private void awaitState(long job, String wanted) throws Exception {
    service.await("job " + job + " " + wanted, SOON, () -> state(job).equals(wanted));
  }

  private String end(long job) throws Exception {
    return service.awaitEnd(job).path("state").asText();
  }

  /** Lets the counting job end and checks that it has lost and repeated nothing. */
  private void countsOnceEach(long job) throws Exception {
    Files.createFile(folder.resolve("enough"));
    assertEquals("succeeded", end(job));
    String[] numbers = Files.readString(folder.resolve("numbers")).trim().split("\n");
    for (int i = 0; i < numbers.length; i++) {
      assertEquals(Integer.toString(i + 1), numbers[i]);
    }
  }

  @Test
  void an_urgent_task_gets_the_place_and_the_other_goes_on_from_what_it_has_saved()
      throws Exception {
    long low = counting();
    long high = urgent("echo urgent >> log");
    assertEquals("succeeded", end(high));
    service.await(
        "a second attempt after the urgent task",
        SOON,
        () -> Files.readString(folder.resolve("log")).contains("urgent\nbegin 2 at "));
    countsOnceEach(low);
    JsonNode shown = service.client().get("/jobs/" + low).path("attempts").path(0);
    assertEquals(1, shown.path("preemptions").asInt(), shown.toString());
    assertTrue(shown.path("lostMillis").asLong() > 0, shown.toString());
  }

  @Test
  void both_sides_are_explained() throws Exception {
    long low = counting();
    Path keep = Files.createFile(folder.resolve("keep"));
    long high = urgent("true");
    awaitState(low, "stopping");
    String why = service.cli("explain", Long.toString(high)).out();
    assertTrue(
        why.matches("(?s).*asked to leave for it, which takes up to .*: " + low + "\\.0.*"), why);
    String left = service.cli("explain", Long.toString(low)).out();
    assertTrue(left.contains("preempted by task " + high + ".0"), left);
    Files.delete(keep);
    assertEquals("succeeded", end(high));
    awaitState(low, "running");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COORDINATOR", "AGENT", "COORDINATOR AGENT"})
  void it_saves_and_goes_on_though_they_are_killed_meanwhile(String victims) throws Exception {
    long low = counting();
    Path keep = Files.createFile(folder.resolve("keep"));
    long high = urgent("true");
    awaitState(low, "stopping");
    for (String victim : victims.split(" ")) {
      service.member(Role.valueOf(victim)).signal("KILL");
    }
    if (victims.contains("COORDINATOR")) {
      service.serve("--cpus", "1");
    }
    Files.delete(keep);
    assertEquals("succeeded", end(high));
    awaitState(low, "running");
    countsOnceEach(low);
  }

  @Test
  void a_job_is_requeued_by_hand_and_may_be_held() throws Exception {
    long low = counting();
    cli("requeue", Long.toString(low));
    service.await(
        "a second attempt",
        SOON,
        () -> Files.readString(folder.resolve("log")).contains("begin 2 at "));
    awaitState(low, "running");
    cli("requeue", "--hold", Long.toString(low));
    awaitState(low, "held");
    cli("release", Long.toString(low));
    awaitState(low, "running");
    countsOnceEach(low);
  }

  @Test
  void the_preemptible_tasks_of_a_drained_node_leave_it() throws Exception {
    long low = counting();
    cli("drain", "--move", node());
    awaitState(low, "waiting");
    cli("resume", node());
    awaitState(low, "running");
    countsOnceEach(low);
  }

  @Test
  void a_task_that_has_run_for_less_than_its_minimum_keeps_its_place() throws Exception {
    long low = service.submit("touch ready; sleep 3", "preemptible", true, "preemptAfter", "1h");
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    long high = urgent("true");
    assertEquals("succeeded", end(high));
    assertEquals("succeeded", end(low));
    assertEquals(
        1, service.client().get("/jobs/" + low).path("attempts").path(0).path("attempt").asInt());
  }

  private String node() throws Exception {
    return service.client().get("/nodes").path("nodes").path(0).path("name").asText();
  }

  private void cli(String... arguments) throws IOException, InterruptedException {
    assertEquals(0, service.cli(arguments).code());
  }
}
