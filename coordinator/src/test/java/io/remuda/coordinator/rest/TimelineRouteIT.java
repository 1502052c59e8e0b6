package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ran where, over HTTP. */
class TimelineRouteIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 1",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1MiB util 3 temp 61"
                    + " power 250000 limit 700000 clock 1980");
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static JsonNode timeline() throws IOException {
    return service.client().get("/timeline");
  }

  private static List<String> reasons() throws IOException {
    List<String> reasons = new ArrayList<>();
    timeline().path("gaps").forEach(gap -> reasons.add(gap.path("reason").asText()));
    return reasons;
  }

  private static boolean isOver(String job) throws IOException {
    return StreamSupport.stream(timeline().path("spans").spliterator(), false)
        .anyMatch(span -> span.path("job").asText().equals(job) && span.path("to").isNumber());
  }

  @Test
  void a_gpu_has_who_had_it_and_why_nobody_did_also_after_a_restart() throws IOException {
    service.await("a gap", SOON, () -> reasons().contains("nobody-waited"));
    String[] words = {"submit", "--quiet", "--gpus", "1", "--type", "train", "--", "sleep", "1000"};
    String job = service.cli(words).out().strip();
    service.await("it runs", SOON, () -> timeline().path("spans").size() == 1);
    JsonNode span = timeline().at("/spans/0");
    String node = service.client().get("/nodes").at("/nodes/0/name").asText();
    assertEquals(node + ":0", span.path("gpu").asText());
    assertEquals("GPU-aa", span.path("uuid").asText());
    assertEquals(job, span.path("job").asText());
    assertEquals(0, span.path("task").asInt());
    assertEquals(1, span.path("attempt").asInt());
    assertEquals("train", span.path("type").asText());
    assertFalse(span.path("user").asText().isEmpty());
    assertTrue(span.path("to").isNull(), span::toString);
    assertTrue(span.path("memoryMib").asInt() > 130 << 10, span::toString);
    service.end();
    service.serve();
    service.await("it is seen again", SOON, () -> timeline().at("/spans/0/to").isNull());
    assertEquals(1, timeline().path("spans").size(), "it ran on");
    assertEquals(span.path("from"), timeline().at("/spans/0/from"));
    assertEquals(0, service.cli("cancel", "--now", job).code());
    service.await("its end", SOON, () -> isOver(job));
    assertEquals(0, service.cli("drain", node).code());
    service.await("the drain", SOON, () -> reasons().contains("drained"));
    assertEquals(0, service.cli("resume", node).code());
    assertEquals(0, service.client().get("/timeline?node=other").path("gaps").size());
  }

  @Test
  void a_time_that_is_too_long_and_an_unknown_word_are_refused() {
    for (String query : List.of("from=5&to=4", "from=0&to=9000000", "gpu=x")) {
      RestFailureException no =
          assertThrows(
              RestFailureException.class, () -> service.client().get("/timeline?" + query));
      assertEquals(400, no.status(), query);
    }
  }
}
