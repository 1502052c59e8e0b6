package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that do not say what they need of a GPU, over the C driver: the first of each type is
 * measured, the others share what it needed, and one that needs more than its type is tried again.
 */
@Timeout(180)
class MeasuredMemoryIT {
  private static final int GPUS = 2;
  private static final int LIFE_MILLIS = 1500;

  /** Long enough to show how fast it is, which is said by two seconds and more. */
  private static final int WORK_MILLIS = 2500;

  /** One node for all tests, of which each has types of its own. */
  @TempDir private static Path home;

  private static SharedGpus gpus;
  private static Cluster service;
  @TempDir private Path folder;

  @BeforeAll
  static void serve() throws IOException {
    gpus = new SharedGpus(home, GPUS);
    service = gpus.serve();
    service.agent("n1");
    service.awaitNode("n1", "ready");
  }

  @AfterAll
  static void close() {
    service.close();
  }

  @Test
  void jobs_of_unknown_types_are_measured_once_and_then_share() throws Exception {
    gpus.forget();
    Path seen = folder.resolve("seen");
    List<Long> jobs = new ArrayList<>();
    drain("drain"); // until all are there
    jobs.add(submit("small", SharedGpus.commandUntil(seen, 3 * SharedGpus.GIB)));
    jobs.add(submit("large", 9 * SharedGpus.GIB));
    for (int i = 1; i < 4; i++) {
      jobs.add(submit("small", 3 * SharedGpus.GIB));
      jobs.add(submit("large", 9 * SharedGpus.GIB));
    }
    drain("resume");
    service.awaitState(jobs.get(0), "running");
    assertWaitsFor(jobs.get(2), jobs.get(0), "small");
    Files.createFile(seen);
    for (long job : jobs) {
      assertSucceeded(service.awaitEnd(job));
    }
    SharedGpus.assertReservation(service, "small", 3, 4);
    SharedGpus.assertReservation(service, "large", 9, 4);

    long more = submit("small", 4 * SharedGpus.GIB);
    assertSucceeded(service.awaitEnd(more));
    assertEquals(
        2, service.client().get("/jobs/" + more).path("attempts").get(0).path("attempt").asInt());
    assertTrue(
        SharedGpus.profile(service, "small").path("reservationBytes").asLong() >> 20 >= 4096);
    gpus.assertNeverTooMuch(jobs.size() + 1);
  }

  @Test
  void a_type_that_uses_no_memory_is_told_of_and_needs_little_after_three_runs() throws Exception {
    long first = idle();
    String shown = service.cli("show", Long.toString(first)).out();
    String note =
        "note       'idle' of "
            + System.getProperty("user.name")
            + " used no memory of its GPU in a run: its next run";
    assertTrue(shown.lines().anyMatch(line -> line.startsWith(note)), shown);
    idle();
    idle();
    String listed = service.cli("profiles").out();
    assertTrue(listed.contains("it is promised 64 MiB and shares GPUs"), listed);
    assertEquals(64, SharedGpus.profile(service, "idle").path("reservationBytes").asLong() >> 20);
  }

  private static void drain(String action) throws IOException {
    service.client().post("/nodes/n1/" + action, null);
  }

  /** Runs a job that leaves its GPU alone. */
  private static long idle() throws IOException {
    long job = service.submit("sleep 0.5", "cpus", 0, "gpuMem", "auto", "type", "idle");
    assertSucceeded(service.awaitEnd(job));
    return job;
  }

  @Test
  void types_that_were_slow_together_get_gpus_of_their_own() throws Exception {
    Set<String> alone = devicesOfBoth(WORK_MILLIS);
    assertEquals(2, alone.size(), "each is measured on a GPU for itself");
    assertEquals(1, devicesOfBoth(3 * WORK_MILLIS).size(), "and then they share one");
    JsonNode slow = SharedGpus.profile(service, "train").path("slowWith").path(0);
    assertEquals("eval", slow.path("type").asText(), MeasuredMemoryIT::profiles);
    int together = slow.path("togetherPercent").asInt(); // 2/3 as fast; more on a busy machine
    assertEquals(83, together, 26, MeasuredMemoryIT::profiles);
    assertEquals(2, devicesOfBoth(WORK_MILLIS).size(), "but not again");
    String table = service.cli("profiles").out();
    assertTrue(table.contains("'train' of"), table);
    assertEquals(0, service.cli("profiles", "forget", "eval").code());
    assertEquals(0, SharedGpus.profile(service, "train").path("slowWith").size());
  }

  /** Runs a task of two types each, so many milliseconds at the same time. */
  private static Set<String> devicesOfBoth(int millis) throws IOException {
    Set<String> devices = new HashSet<>();
    long train = submit("train", 3 * SharedGpus.GIB, millis);
    long eval = submit("eval", 3 * SharedGpus.GIB, millis);
    for (long job : List.of(train, eval)) {
      service.awaitState(job, "running");
      JsonNode task = service.client().get("/jobs/" + job).path("attempts").path(0);
      devices.add(task.path("devices").path(0).asText());
    }
    for (long job : List.of(train, eval)) {
      assertSucceeded(service.awaitEnd(job));
    }
    return devices;
  }

  private static String profiles() {
    try {
      return service.client().get("/profiles").toString();
    } catch (IOException gone) {
      return gone.toString();
    }
  }

  private static void assertWaitsFor(long twin, long first, String type) throws IOException {
    String said = service.cli("explain", Long.toString(twin)).out();
    String line = "task " + first + ".0 measures what '" + type + "' needs of a GPU";
    assertTrue(said.lines().anyMatch(one -> one.strip().equals(line)), said);
  }

  private static long submit(String type, int mebibytes) throws IOException {
    return submit(type, mebibytes, LIFE_MILLIS);
  }

  private static long submit(String type, int mebibytes, int lifeMillis) throws IOException {
    return submit(type, SharedGpus.command(300, mebibytes, lifeMillis));
  }

  private static long submit(String type, String command) throws IOException {
    return service.submit(command, "cpus", 0, "gpus", 1, "gpuMem", "auto", "type", type);
  }

  private static void assertSucceeded(JsonNode end) {
    assertEquals("succeeded", end.path("state").asText(), end::toString);
  }
}
