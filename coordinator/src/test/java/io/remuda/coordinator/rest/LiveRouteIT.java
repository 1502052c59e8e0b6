package io.remuda.coordinator.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.LiveStream;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens at the moment, as a stream over HTTP. */
class LiveRouteIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private static Path folder;
  private static SimulatedDriver driver;
  private static Cluster service;

  private static void draws(int milliwatts) {
    driver.says(
        "gpus 1",
        "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37 temp 61 power "
            + milliwatts
            + " limit 700000 clock 1980");
  }

  @BeforeAll
  static void start() throws IOException {
    driver = SimulatedDriver.in(folder);
    draws(250_000);
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static LiveStream stream(String last) throws IOException {
    return LiveStream.open(service.client().access(), last);
  }

  /** Returns the power of the GPU, however an event says it; 0 if it says nothing of it. */
  private static int power(JsonNode wall) {
    JsonNode gpu = wall.at("/gpus/0/power");
    return gpu.isMissingNode() ? wall.at("/gpuReadings/0/4").asInt() : gpu.asInt();
  }

  private static JsonNode powered(LiveStream stream, int watts) throws IOException {
    LiveStream.Event event = stream.next();
    while (!event.name().startsWith("wall") || power(event.data()) != watts) {
      event = stream.next();
    }
    return event.data();
  }

  @Test
  @Timeout(120)
  void a_stream_begins_with_everything_and_goes_on_with_what_changes() throws IOException {
    draws(250_000);
    try (LiveStream stream = stream(null)) {
      powered(stream, 250);
    }
    try (LiveStream stream = stream(null)) {
      JsonNode server = stream.next("server", SOON, data -> true).data();
      assertEquals("server", server.path("name").asText(), server::toString);
      stream.next("queue", SOON, data -> data.has("revision"));
      JsonNode wall = stream.next("wall", SOON, data -> true).data();
      assertEquals(1, wall.path("nodes").size());
      assertEquals("GPU-aa", wall.at("/gpus/0/uuid").asText());
      assertEquals(250, wall.at("/gpus/0/power").asInt());
      draws(333_000);
      JsonNode change = powered(stream, 333);
      assertEquals(0, change.at("/gpuReadings/0/0").asInt(), "the place of the GPU");
      assertEquals(0, change.path("gpus").size(), "only the readings");
    }
  }

  @Test
  void a_job_that_waits_and_runs_is_counted_with_its_reason_and_named() throws IOException {
    try (LiveStream stream = stream(null)) {
      long before = stream.next("queue", SOON, data -> true).data().path("revision").asLong();
      String job = service.cli("submit", "--quiet", "--hold", "--", "sleep", "1000").out().strip();
      stream.next( // the store may be read a moment before the coordinator is asked
          "queue",
          SOON,
          data ->
              data.at("/reasons/on-hold").asInt() == 1 && data.path("revision").asLong() > before);
      service.cli("release", job);
      stream.next("queue", SOON, data -> data.path("running").asInt() == 1);
      stream.next("jobs", SOON, data -> data.at("/running/0/job").asText().equals(job));
      service.cli("cancel", "--now", job);
      stream.next("jobs", SOON, data -> data.path("running").isEmpty());
    }
  }

  @Test
  void who_comes_back_goes_on_where_it_was_and_a_stranger_begins_anew() throws IOException {
    String id;
    try (LiveStream stream = stream(null)) {
      id = stream.next("wall", SOON, data -> true).id();
    }
    try (LiveStream again = stream(id)) {
      LiveStream.Event first = again.next();
      while (!first.name().startsWith("wall")) {
        first = again.next(); // the queue may have changed
      }
      assertEquals("wall-change", first.name());
    }
    try (LiveStream other = stream("an-older-server.77")) {
      assertEquals("server", other.next().name());
    }
    try (LiveStream other = stream("x".repeat(5000))) {
      assertEquals("server", other.next().name());
    }
  }

  @Test
  void many_streams_get_the_same_and_one_too_many_is_refused() throws IOException {
    List<LiveStream> streams = new ArrayList<>();
    try {
      for (int one = 0; one < 64; one++) {
        streams.add(stream(null));
      }
      for (LiveStream stream : streams) {
        stream.next("wall", SOON, data -> data.path("gpus").size() == 1);
      }
      IOException refused = assertThrows(IOException.class, () -> stream(null));
      assertEquals("HTTP 429", refused.getMessage());
    } finally {
      streams.forEach(LiveStream::close);
    }
    service.await("room for a stream", SOON, LiveRouteIT::isRoom);
  }

  private static boolean isRoom() {
    try (LiveStream stream = stream(null)) {
      return true;
    } catch (IOException full) {
      return false;
    }
  }
}
