package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.WrongClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine that starts with a clock that is ahead by more than what history is kept for. */
@Tag("attack")
@Tag("attack-store")
@Timeout(180)
class WrongClockIT {
  private static final int DAYS = 40;
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @Test
  void a_server_that_starts_with_a_clock_forty_days_ahead_removes_nothing_for_its_age()
      throws Exception {
    Optional<Map<String, String>> ahead = WrongClock.aheadByDays(DAYS);
    assumeTrue(ahead.isPresent(), "skipped: takes libfaketime, Debian " + WrongClock.DEBIAN);
    Path home = folder.resolve("h");
    try (Cluster right = new Cluster(Installation.find(), home, Map.of())) {
      right.with("remuda.coordinator.retention.jobs=2").serve();
      for (int i = 0; i < 3; i++) {
        right.awaitEnd(right.submit("echo printed"));
      }
      assertEquals(0, right.cli("stop").code());
      right.awaitServerEnd();
      right.await("the end of all", SOON, () -> right.members().isEmpty());
    }
    try (ServiceProcess wrong = new ServiceProcess(Installation.find(), home, ahead.get())) {
      wrong.serve();
      wrong.await( // one is more than are kept, whatever their age
          "a pass over history", SOON, () -> jobs(wrong).size() < 3);
      assertEquals(2, jobs(wrong).size());
      assertEquals("printed\n", wrong.log(3, 0, "out"));
      Instant now = Instant.parse(wrong.awaitEnd(wrong.submit("true")).path("endedAt").asText());
      assertTrue(now.isAfter(Instant.now().plus(Duration.ofDays(DAYS - 1))), "it is " + now);
    }
  }

  private static JsonNode jobs(ServiceProcess service) throws Exception {
    return service.client().get("/jobs?all").path("jobs");
  }
}
