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
import java.util.List;
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

  /** Long enough for a server and an agent to be started meanwhile. */
  private static final int LONG_MILLIS = 25_000;

  @TempDir private Path folder;

  @Test
  void jobs_of_unknown_types_are_measured_once_and_then_share() throws Exception {
    SharedGpus gpus = new SharedGpus(folder, GPUS);
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), gpus.driver().environment())) {
      service.serve("--no-agent");
      List<Long> jobs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        jobs.add(submit(service, "small", 3 * SharedGpus.GIB));
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

  private static void assertWaitsFor(ServiceProcess service, long twin, long first, String type)
      throws IOException {
    String said = service.cli("explain", Long.toString(twin)).out();
    String line = "task " + first + ".0 shows what '" + type + "' needs of a GPU";
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
