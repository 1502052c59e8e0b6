package io.remuda.coordinator.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readings over time as a user sees them, beside what the simulated driver was told to say. */
class HistoryCommandIT {
  private static final Duration SOON = Duration.ofSeconds(120);

  @TempDir private static Path folder;
  private static Cluster service;
  private static String node;

  @BeforeAll
  static void start() throws IOException {
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 1",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37 temp 61"
                    + " power 250000 limit 700000");
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
    node = service.client().get("/nodes").at("/nodes/0/name").asText();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static JsonNode curves(String... words) throws IOException {
    String[] all = new String[words.length + 2];
    all[0] = "history";
    all[1] = "--json";
    System.arraycopy(words, 0, all, 2, words.length);
    Result printed = service.cli(all);
    assertEquals(0, printed.code(), printed::toString);
    return RestClient.JSON.readTree(printed.out());
  }

  /** Returns the last value of a metric; NaN if there is none yet. */
  private static double last(JsonNode answer, String metric) {
    double found = Double.NaN;
    for (JsonNode curve : answer.at("/series/0/curves")) {
      if (curve.path("metric").asText().equals(metric)) {
        for (JsonNode value : curve.path("mean")) {
          found = value.isNumber() ? value.asDouble() : found;
        }
      }
    }
    return found;
  }

  @Test
  void a_gpu_has_the_values_that_its_driver_says() throws IOException {
    service.await("readings", SOON, () -> last(curves("GPU-aa"), "utilization") >= 0);
    JsonNode gpu = curves(node + ":0");
    assertEquals(0.37, last(gpu, "utilization"));
    assertEquals(1L << 30, last(gpu, "memoryUsed"));
    assertEquals(250, last(gpu, "power"));
    assertEquals(61, last(gpu, "temperature"));
    assertEquals(0, last(gpu, "memoryLent"));
    assertEquals(1, gpu.path("step").asInt(), "seconds");
    Result text = service.cli("history", "GPU-aa", "--metric", "utilization");
    assertTrue(text.out().contains("37 %"), text::toString);
    Result table = service.cli("history", "GPU-aa", "--csv");
    assertTrue(
        table.out().contains(",gpu," + node + ":0,utilization,ratio,0.37,0.37,0.37,0.37"),
        table::toString);
  }

  @Test
  void a_node_has_the_rates_of_its_networks_and_one_table_with_its_gpus() throws IOException {
    service.await(
        "a second reading",
        SOON,
        () -> last(curves(node, "--metric", "networkReceived"), "networkReceived") >= 0);
    Result table = service.cli("history", node, "--csv");
    assertEquals(
        1, table.out().lines().filter(line -> line.startsWith("time,")).count(), table::toString);
    assertTrue(table.out().contains(",gpu," + node + ":0,"), table::toString);
    assertTrue(
        table.out().contains(",node," + node + ",networkReceived,bytes/s,"), table::toString);
  }

  @Test
  void a_task_has_the_processors_and_the_gpu_memory_that_it_uses() throws IOException {
    String[] busy = {"submit", "--quiet", "--gpus", "1", "--", "sh", "-c", "while :; do :; done"};
    String job = service.cli(busy).out().strip();
    service.await("the use of a task", SOON, () -> last(curves(job), "cpu") > 0);
    service.await(
        "the memory that is lent to it", SOON, () -> last(curves("GPU-aa"), "memoryLent") > 0);
    service.await(
        "the queue", SOON, () -> last(curves("queue", "--metric", "running"), "running") == 1);
    assertEquals(job + ".0.1", curves(job).at("/series/0/name").asText());
    assertEquals(0, service.cli("cancel", "--now", job).code());
    service.await("its end", SOON, () -> service.client().get("/jobs").path("jobs").isEmpty());
    service.await("the end of the loan", SOON, () -> last(curves("GPU-aa"), "memoryLent") == 0);
    assertTrue(last(curves(job), "cpu") > 0, "what was is still there");
  }

  @Test
  void what_was_before_a_restart_is_there_after_it() throws IOException {
    service.await("readings", SOON, () -> last(curves(node, "--metric", "load1"), "load1") >= 0);
    String query = "/history?kind=node&metric=load1&points=10000&from=%d&to=%d";
    JsonNode before = service.client().get("/history?kind=node&metric=load1");
    long from = before.path("from").asLong();
    long to = from + before.path("points").asLong() - 1; // the last second may not be over
    String past = service.client().get(query.formatted(from, to)).at("/series").toString();
    service.end();
    service.serve();
    service.await("a history", SOON, () -> service.client().get("/history").has("series"));
    assertEquals(past, service.client().get(query.formatted(from, to)).at("/series").toString());
  }

  /** As of a client that asks for all there is, or is wrong about the time. */
  @Test
  void of_a_time_without_bounds_what_may_be_kept_is_answered() throws IOException {
    service.await("readings", SOON, () -> last(curves("GPU-aa"), "utilization") >= 0);
    JsonNode all = service.client().get("/history?kind=queue&from=0&to=99999999999&points=10000");
    assertTrue(all.path("points").asInt() <= 10_000, () -> all.path("points").toString());
    assertTrue(
        Instant.ofEpochSecond(all.path("from").asLong())
            .isAfter(Instant.now().minus(Duration.ofDays(16))),
        () -> all.path("from").toString());
    JsonNode future = service.client().get("/history?from=99999999998&to=99999999999");
    assertTrue(future.path("points").asInt() <= 1, future::toString);
  }

  @Test
  void what_is_not_there_and_what_is_wrong_is_said() throws IOException {
    Result unknown = service.cli("history", "nowhere");
    assertEquals(2, unknown.code(), unknown::toString);
    assertTrue(unknown.err().contains("there is no node or GPU 'nowhere'"), unknown::toString);
    Result metric = service.cli("history", "queue", "--metric", "power");
    assertEquals(2, metric.code(), metric::toString);
    assertTrue(
        metric.err().contains("the metrics of a queue are waiting, running"), metric::toString);
    Result past = service.cli("history", "999");
    assertEquals(1, past.code(), past::toString);
    assertTrue(past.err().contains("nothing is known of this time"), past::toString);
  }
}
