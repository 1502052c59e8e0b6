package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is under way when the server is killed, and its agent and keeper with it, goes on. */
@Timeout(240)
class ServerDeathIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int LIFE_MILLIS = 1500;

  /** A server with an agent of one core and two GPUs. */
  @TempDir private static Path home;

  private static ServiceProcess service;
  private static String own;
  @TempDir private Path folder;

  @BeforeAll
  static void serve() throws IOException {
    SharedGpus gpus = new SharedGpus(home, 2);
    service =
        new ServiceProcess(Installation.find(), home.resolve("h"), gpus.driver().environment());
    service.serve("--cpus", "1");
    own = node().path("name").asText();
  }

  @AfterAll
  static void close() {
    service.close();
  }

  private static JsonNode node() throws IOException {
    return service.client().get("/nodes").path("nodes").path(0);
  }

  /** Kills processes, starts the server again, and waits for its node to be in a state. */
  private static void killAndServe(List<Role> victims, String nodeState) throws Exception {
    for (Role role : victims) {
      service.member(role).signal("KILL");
    }
    service.awaitServerEnd();
    service.launch("--cpus", "1");
    service.awaitNode(own, nodeState);
  }

  private static boolean says(String text, Object... command) throws IOException {
    String[] words = Stream.of(command).map(String::valueOf).toArray(String[]::new);
    return service.call(words).out().contains(text);
  }

  private static long submitMeasured(String type, String command) throws IOException {
    return service.submit(command, "cpus", 0, "gpus", 1, "gpuMem", "auto", "type", type);
  }

  private static String end(long job) {
    return service.awaitEnd(job).path("state").asText();
  }

  private static JsonNode task(long job) throws IOException {
    return service.client().get("/jobs/" + job).path("attempts").path(0);
  }

  private static boolean isMeasuredFirst(long twin, long first, String type) throws IOException {
    String said = service.client().get("/jobs/" + twin + "/explain").toString();
    return said.contains("task " + first + ".0 measures what '" + type + "' needs of a GPU");
  }

  /** Gives its index. */
  private static int drainTheOtherGpu(long job) throws IOException {
    String taken = task(job).path("devices").path(0).asText();
    JsonNode devices = node().path("devices");
    int other = devices.path(0).path("uuid").asText().equals(taken) ? 1 : 0;
    service.client().post("/nodes/" + own + "/gpus/drain?gpu=" + other + "&reason=a%20fan", null);
    return other;
  }

  /** Submits a job that saves its work once it is told to, and cancels it. */
  private static long cancelledWhileItRuns(Path folder) throws IOException {
    long job =
        service.submit(
            SavingJob.saves("while [ ! -e go ]; do sleep 0.1; done; sleep 2.5"),
            "retries",
            1,
            "grace",
            "10m",
            "cpus",
            0,
            "workdir",
            folder.toString());
    service.await("a running task", SOON, () -> Files.exists(folder.resolve("ready")));
    service.client().post("/jobs/" + job + "/cancel", null);
    return job;
  }

  @ParameterizedTest
  @ValueSource(strings = {"COORDINATOR", "COORDINATOR AGENT"})
  void what_is_measured_cancelled_preempted_or_drained_is_so_still_though_they_are_killed_meanwhile(
      String victims) throws Exception {
    Path measuredEnough = folder.resolve("measured-enough");
    String type = "killed " + victims;
    long measured =
        submitMeasured(type, SharedGpus.commandUntil(measuredEnough, 5 * SharedGpus.GIB));
    service.awaitState(measured, "running");
    int drained = drainTheOtherGpu(measured);
    long twin = submitMeasured(type, SharedGpus.command(300, 5 * SharedGpus.GIB, LIFE_MILLIS));
    Path saving = Files.createDirectory(folder.resolve("saving"));
    long cancelled = cancelledWhileItRuns(saving);
    CountingJob counting = new CountingJob(service, Files.createDirectory(folder.resolve("n")));
    long low = counting.start();
    counting.keepsItsPlace();
    long high = service.submit("true", "priority", 5, "cpus", 1);
    service.awaitState(low, "stopping");

    service.client().post("/nodes/" + own + "/drain?reason=a%20new%20disk", null);

    killAndServe(Stream.of(victims.split(" ")).map(Role::valueOf).toList(), "draining");

    assertEquals("a new disk", node().path("drainReason").asText());
    String nodes = service.call("nodes").out();
    assertTrue(nodes.contains("\n" + own + ": is draining (a new disk)\n"), nodes);
    long late = service.submit("true", "cpus", 0);
    service.await("why it waits", SOON, () -> says("is draining (a new disk)", "explain", late));
    service.await("the line of gpus", SOON, () -> says("| draining (a fan)", "gpus"));
    service.await("the line of top", SOON, () -> says("draining: a fan", "top", "--once"));
    assertFalse(Files.exists(saving.resolve("saved")));
    service.client().post("/nodes/" + own + "/resume", null);
    Files.createFile(saving.resolve("go"));
    counting.mayLeave();
    assertEquals("cancelled", end(cancelled));
    assertTrue(Files.exists(saving.resolve("saved")));
    assertEquals("succeeded", end(high));
    assertEquals("succeeded", end(late));
    service.awaitState(low, "running");
    counting.endsWithOnceEach();
    assertTrue(isMeasuredFirst(twin, measured, type), service::describe);
    Files.createFile(measuredEnough);
    for (long job : List.of(measured, twin)) {
      assertEquals("succeeded", end(job));
      assertEquals(1, task(job).path("attempt").asInt(), () -> service.describe());
    }
    SharedGpus.assertReservation(service, type, 5, 2);
    JsonNode gpu = node().path("devices").path(drained);
    assertEquals("draining", gpu.path("state").asText(), gpu::toString);
    service.client().post("/nodes/" + own + "/gpus/resume?gpu=" + drained, null);
  }

  @Test
  void leases_outlive_the_server_the_agent_and_the_keeper() throws Exception {
    try (LeasedProgram holder = new LeasedProgram(service, home);
        LeasedProgram other = new LeasedProgram(service, home);
        LeasedProgram waiter = new LeasedProgram(service, home)) {
      JsonNode held = holder.ask("whole", null, 60);
      assertEquals("running", other.ask("whole", null, 60).path("state").asText());
      JsonNode next = waiter.ask("whole", null, 0);

      killAndServe(List.of(Role.COORDINATOR, Role.AGENT, Role.KEEPER), "ready");

      service.awaitState(LeasedProgram.id(held), "running");
      JsonNode same = holder.await(held);
      assertEquals(held.path("devices"), same.path("devices"));
      assertEquals(1, same.path("attempt").asInt());
      assertEquals("waiting", waiter.ask("whole", null, 0).path("state").asText());
      assertEquals("succeeded", holder.giveBack(held).path("state").asText());
      assertEquals("running", waiter.await(next).path("state").asText());
      assertTrue(holder.isAlive());
    }
    service.cancelAll();
  }
}
