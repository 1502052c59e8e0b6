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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code remuda stop} ends what runs and keeps what waits. */
@Tag("attack")
@Tag("attack-store")
@Tag("long-attack")
class StopIT {

  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private Cluster service;

  @BeforeEach
  void make() {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private int count(long job, String state) throws IOException {
    return service.client().get("/jobs/" + job + "/explain").path("counts").path(state).asInt();
  }

  private List<String> begun() throws IOException {
    return Files.exists(folder.resolve("begun"))
        ? Files.readAllLines(folder.resolve("begun"))
        : List.of();
  }

  @Test
  @Timeout(300)
  void an_array_half_done_goes_on_after_a_stop_without_what_ran() throws Exception {
    service.serve("--cpus", "2");
    long job =
        service.submit(
            "echo $REMUDA_TASK_INDEX >> begun; [ -e go ] || sleep 600", "count", 60, "cpus", 1);
    service.await("two tasks", SOON, () -> count(job, "running") == 2);
    assertEquals(0, service.cli("stop").code());
    service.awaitServerEnd();
    service.serve("--cpus", "1", "--no-agent");
    assertEquals(2, count(job, "cancelled"), service.describe());
    assertEquals(58, count(job, "waiting"), service.describe());
    assertEquals("waiting", service.client().get("/jobs/" + job).path("state").asText());
    assertEquals(0, service.cli("stop").code());
    service.awaitServerEnd();
    Files.createFile(folder.resolve("go"));
    service.serve("--cpus", "2");
    JsonNode over = service.awaitEnd(job);
    assertEquals("cancelled", over.path("state").asText());
    assertTrue(over.path("reason").asText().endsWith(": the server was stopped"), over.toString());
    assertEquals(60, begun().size());
    assertEquals(60, begun().stream().distinct().count(), "none began twice");
  }

  /** They follow each other in slots, so that most that were ordered have not begun. */
  @Test
  @Timeout(300)
  void short_tasks_that_were_sent_ahead_run_after_the_stop_and_none_twice() throws Exception {
    service.serve("--cpus", "2");
    long job =
        service.submit(
            "echo $REMUDA_TASK_INDEX >> begun; exec sleep 0.02", "count", 600, "cpus", 1);
    service.await("a hundred tasks", SOON, () -> begun().size() >= 100);
    assertEquals(0, service.cli("stop").code());
    service.awaitServerEnd();
    assertTrue(begun().size() < 500, "the stop came too late to show anything");
    service.serve("--cpus", "2");
    JsonNode over = service.awaitEnd(job);
    List<String> all = begun();
    assertEquals(all.stream().distinct().count(), all.size(), "none began twice");
    // one that was being started at the stop may have been ended before its first line
    assertTrue(all.size() >= 596, all.size() + " of 600 ran: " + over);
  }
}
