package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  /** Duration of a job for which others visibly wait. */
  private static final int SEEN_MILLIS = 15_000;

  /** Long enough for a server and an agent to be started meanwhile. */
  private static final int LONG_MILLIS = 45_000;

  @TempDir private Path folder;

  @Test
  void jobs_of_unknown_types_are_measured_once_and_then_share() throws Exception {
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), gpus.driver().environment())) {
      service.serve("--no-agent");
      List<Long> jobs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int life = i == 0 ? SEEN_MILLIS : LIFE_MILLIS;
        jobs.add(submit(service, "small", 3 * SharedGpus.GIB, life));
        jobs.add(submit(service, "large", 9 * SharedGpus.GIB));
      }
      service.agent("n1");
      service.awaitState(jobs.get(0), "running");
      assertWaitsFor(service, jobs.get(2), jobs.get(0), "small");
      for (long job : jobs) {
        assertSucceeded(service.awaitEnd(job));
      }
      assertReservation(service, "small", 3, 4);
      assertReservation(service, "large", 9, 4);

      long more = submit(service, "small", 4 * SharedGpus.GIB);
      assertSucceeded(service.awaitEnd(more));
      assertEquals(
          2, service.client().get("/jobs/" + more).path("attempts").get(0).path("attempt").asInt());
      assertTrue(profile(service, "small").path("reservationBytes").asLong() >> 20 >= 4096);
      gpus.assertNeverTooMuch(jobs.size() + 1);
    }
  }

  @Test
  void a_measurement_outlives_the_server_and_the_agent() throws Exception {
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), gpus.driver().environment())) {
      service.serve("--no-agent");
      service.agent("n1");
      long first = submit(service, "long", 5 * SharedGpus.GIB, LONG_MILLIS);
      long twin = submit(service, "long", 5 * SharedGpus.GIB, LIFE_MILLIS);
      service.awaitState(first, "running");
      service.member(Role.COORDINATOR).signal("KILL");
      service.serve("--no-agent");
      service.awaitNode("n1", "ready");
      assertWaitsFor(service, twin, first, "long");
      service.member(Role.AGENT).signal("KILL");
      service.agent("n1");
      assertSucceeded(service.awaitEnd(first));
      assertSucceeded(service.awaitEnd(twin));
      assertReservation(service, "long", 5, 2);
      for (long job : List.of(first, twin)) {
        JsonNode task = service.client().get("/jobs/" + job).path("attempts").get(0);
        assertEquals(1, task.path("attempt").asInt(), task::toString);
      }
    }
  }

  @Test
  void a_type_that_uses_no_memory_is_told_of_and_needs_little_after_three_runs() throws Exception {
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), gpus.driver().environment())) {
      service.serve("--no-agent");
      service.agent("n1");
      long first = idle(service);
      String shown = service.cli("show", Long.toString(first)).out();
      String note =
          "note       'idle' of "
              + System.getProperty("user.name")
              + " used no memory of its GPU in a run: its next run";
      assertTrue(shown.lines().anyMatch(line -> line.startsWith(note)), shown);
      idle(service);
      idle(service);
      String listed = service.cli("profiles").out();
      assertTrue(listed.contains("it is promised 64 MiB and shares GPUs"), listed);
      assertEquals(64, profile(service, "idle").path("reservationBytes").asLong() >> 20);
    }
  }

  /** Runs a job that leaves its GPU alone. */
  private static long idle(ServiceProcess service) throws IOException {
    long job = service.submit("sleep 0.5", "cpus", 0, "gpuMem", "auto", "type", "idle");
    assertSucceeded(service.awaitEnd(job));
    return job;
  }

  @Test
  void types_that_were_slow_together_get_gpus_of_their_own() throws Exception {
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), gpus.driver().environment())) {
      service.serve("--no-agent");
      service.agent("n1");
      service.awaitNode("n1", "ready");
      Set<String> alone = devicesOfBoth(service, WORK_MILLIS);
      assertEquals(2, alone.size(), "each is measured on a GPU for itself");
      assertEquals(1, devicesOfBoth(service, 3 * WORK_MILLIS).size(), "and then they share one");
      JsonNode slow = profile(service, "train").path("slowWith").path(0);
      assertEquals("eval", slow.path("type").asText(), () -> profiles(service));
      int together = slow.path("togetherPercent").asInt(); // 2/3 as fast; more on a busy machine
      assertEquals(83, together, 26, () -> profiles(service));
      assertEquals(2, devicesOfBoth(service, WORK_MILLIS).size(), "but not again");
      String table = service.cli("profiles").out();
      assertTrue(table.contains("'train' of"), table);
      assertEquals(0, service.cli("profiles", "forget", "eval").code());
      assertEquals(0, profile(service, "train").path("slowWith").size());
    }
  }

  /** Runs a task of two types each, so many milliseconds at the same time. */
  private static Set<String> devicesOfBoth(ServiceProcess service, int millis) throws IOException {
    Set<String> devices = new HashSet<>();
    long train = submit(service, "train", 3 * SharedGpus.GIB, millis);
    long eval = submit(service, "eval", 3 * SharedGpus.GIB, millis);
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

  private static String profiles(ServiceProcess service) {
    try {
      return service.client().get("/profiles").toString();
    } catch (IOException gone) {
      return gone.toString();
    }
  }

  private static void assertWaitsFor(ServiceProcess service, long twin, long first, String type)
      throws IOException {
    String said = service.cli("explain", Long.toString(twin)).out();
    String line = "task " + first + ".0 measures what '" + type + "' needs of a GPU";
    assertTrue(said.lines().anyMatch(one -> one.strip().equals(line)), said);
  }

  private static long submit(ServiceProcess service, String type, int mebibytes)
      throws IOException {
    return submit(service, type, mebibytes, LIFE_MILLIS);
  }

  private static long submit(ServiceProcess service, String type, int mebibytes, int lifeMillis)
      throws IOException {
    return service.submit(
        SharedGpus.command(300, mebibytes, lifeMillis),
        "cpus",
        0,
        "gpus",
        1,
        "gpuMem",
        "auto",
        "type",
        type);
  }

  private static void assertSucceeded(JsonNode end) {
    assertEquals("succeeded", end.path("state").asText(), end::toString);
  }

  private static JsonNode profile(ServiceProcess service, String type) throws IOException {
    for (JsonNode profile : service.client().get("/profiles").path("profiles")) {
      if (profile.path("type").asText().equals(type)) {
        return profile;
      }
    }
    throw new AssertionError("no profile of " + type);
  }

  private static void assertReservation(ServiceProcess service, String type, int gib, int runs)
      throws IOException {
    JsonNode profile = profile(service, type);
    long reserved = profile.path("reservationBytes").asLong() >> 20;
    assertTrue(reserved >= gib * SharedGpus.GIB, profile::toString);
    assertTrue(reserved <= gib * SharedGpus.GIB * 1.1, profile::toString);
    assertEquals(runs, profile.path("runs").asInt(), profile::toString);
  }
}
