package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that keeps two jobs that are over, and nothing of what they have printed. */
class RetentionIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @Test
  void what_is_kept_no_longer_is_gone_after_a_start_and_users_are_told_so() throws Exception {
    Path home = Files.createDirectories(folder.resolve("h"));
    Files.writeString(
        home.resolve("remuda.conf"),
        "remuda.coordinator.retention.jobs = 2\nremuda.agent.ended-age = 1ms\n");
    try (Cluster service = new Cluster(Installation.find(), home, Map.of())) {
      service.serve();
      for (int i = 0; i < 4; i++) {
        service.awaitEnd(service.submit("echo printed"));
      }
      assertEquals("printed\n", service.log(4, 0, "out"));
      awaitEndedFolders(service, 4); // the next agent looks at its start, and then after an hour
      assertEquals(0, service.cli("stop", "--keep").code());
      service.awaitServerEnd();
      service.serve();
      service.await(
          "two jobs that are left",
          SOON,
          () -> service.client().get("/jobs?all").path("jobs").size() == 2);
      service.await(
          "output that is gone", SOON, () -> service.cli("logs", "4").err().contains("no longer"));
      Result removed = service.cli("logs", "1");
      assertEquals(1, removed.code());
      assertTrue(removed.err().contains("remuda: job 1 is over and was removed"), removed.err());
      Result printed = service.cli("logs", "4");
      assertEquals(1, printed.code());
      assertTrue(
          printed.err().contains("remuda: no output: the output of 4.0.1 is no longer kept"),
          printed.err());
      Result after = service.cli("submit", "--after", "1", "--", "true");
      assertEquals(2, after.code());
      assertTrue(after.err().contains("it is over and was removed"), after.err());
      assertEquals("5\n", service.cli("submit", "--", "true").out());
    }
  }

  /** Waits until the agent has moved tasks to the ended ones, once it knows that they are noted. */
  private static void awaitEndedFolders(Cluster service, int count) {
    service.await(
        count + " folders of ended tasks",
        SOON,
        () -> {
          try (Stream<Path> nodes = Files.list(service.home().resolve("nodes"))) {
            return nodes.mapToInt(node -> entries(node.resolve("ended"))).sum() == count;
          }
        });
  }

  private static int entries(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? 0 : names.length;
  }
}
