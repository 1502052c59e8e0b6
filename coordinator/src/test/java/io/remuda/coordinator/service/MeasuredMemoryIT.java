package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Installation;
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
      assertEquals(
          "task " + jobs.get(0) + ".0 shows what 'small' needs of a GPU",
          service
              .cli("explain", Long.toString(jobs.get(2)))
              .out()
              .lines()
              .skip(1)
              .findFirst()
              .orElse("")
              .strip());
      for (long job : jobs) {
        assertSucceeded(service.awaitEnd(job));
      }
      assertReservation(service, "small", 3);
      assertReservation(service, "large", 9);

      long more = submit(service, "small", 4 * SharedGpus.GIB);
      assertSucceeded(service.awaitEnd(more));
      assertEquals(
          2, service.client().get("/jobs/" + more).path("attempts").get(0).path("attempt").asInt());
      assertTrue(profile(service, "small").path("reservationBytes").asLong() >> 20 >= 4096);
      gpus.assertNeverTooMuch(jobs.size() + 1);
    }
  }

  private static long submit(ServiceProcess service, String type, int mebibytes)
      throws IOException {
    return service.submit(
        SharedGpus.command(300, mebibytes, LIFE_MILLIS),
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

  private static void assertReservation(ServiceProcess service, String type, int gib)
      throws IOException {
    JsonNode profile = profile(service, type);
    long reserved = profile.path("reservationBytes").asLong() >> 20;
    assertTrue(reserved >= gib * SharedGpus.GIB, profile::toString);
    assertTrue(reserved <= gib * SharedGpus.GIB * 1.1, profile::toString);
    assertEquals(4, profile.path("runs").asInt(), profile::toString);
  }
}
