package io.remuda.coordinator.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real programs report, from their lines to what a user sees. */
class ReportedMetricsIT {
  private static final Duration SOON = Duration.ofSeconds(120);
  private static final Path CLIENT = Path.of("..", "clients", "python").toAbsolutePath();

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Submits a Python program, which ends once there is a file {@code go}. */
  private static long python(String program) throws IOException {
    Path file = Files.createTempFile(folder, "program", ".py");
    Files.writeString(file, "import remuda\n" + program);
    return service.submit("PYTHONPATH=" + CLIENT + " exec python3 " + file);
  }

  private static JsonNode answer(String query) throws IOException {
    return service.client().get("/history?kind=task&" + query);
  }

  /** Returns what an attempt has reported of a metric. */
  private static JsonNode reported(String attempt, String metric) throws IOException {
    for (JsonNode series : answer("from=start&name=" + attempt).path("series")) {
      for (JsonNode curve : series.path("reported")) {
        if (curve.path("metric").asText().equals(metric)) {
          return curve;
        }
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode await(String attempt, String metric, long count) {
    JsonNode[] last = new JsonNode[1];
    service.await(
        count + " values of " + metric + " of " + attempt,
        SOON,
        () -> {
          last[0] = reported(attempt, metric);
          return last[0].path("count").asLong() >= count;
        });
    assertEquals(count, last[0].path("count").asLong());
    return last[0];
  }

  @Test
  void what_a_python_program_reports_is_shown_while_it_runs_and_after_its_end() throws IOException {
    Path go = folder.resolve("go");
    long job =
        python(
            "import os, time\n"
                + "for step in range(3): remuda.metric('loss', 1 / (step + 1), step=step)\n"
                + "while not os.path.exists('"
                + go
                + "'): time.sleep(0.1)\n"
                + "remuda.metric('loss', 0.25, step=3)\n"
                + "remuda.metric('accuracy', 0.9)\n");
    JsonNode running = await(job + ".0.1", "loss", 3);
    assertEquals("[0.0,1.0,2.0]", running.path("step").toString());
    assertEquals("[1.0,0.5,0.33333334]", running.path("mean").toString());
    Files.createFile(go);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    JsonNode over = await(job + ".0.1", "loss", 4);
    assertEquals(0.25, over.path("last").asDouble());
    assertEquals(0.25, over.path("lowest").asDouble());
    assertEquals(1.0, over.path("highest").asDouble());
    Result text = service.cli("history", job + ".0", "--metric", "loss");
    assertEquals(0, text.code(), text::toString);
    assertTrue(
        text.out()
            .lines()
            .anyMatch(line -> line.matches("\\d+\\.0\\.1 +loss .* 0\\.25 +0\\.25 +1 +3 +4")),
        text::out);
    Result all = service.cli("history", "--json", String.valueOf(job));
    JsonNode names = RestClient.JSON.readTree(all.out()).at("/series/0/reported");
    assertEquals("accuracy", names.at("/0/metric").asText(), all::out);
    assertEquals("loss", names.at("/1/metric").asText(), all::out);
  }

  @Test
  void a_line_in_the_shell_is_enough() throws IOException {
    long job =
        service.submit(
            "echo val/loss 2.5 >> $REMUDA_METRICS; echo val/loss 1.5 7 >> $REMUDA_METRICS;"
                + " printf 'last 3' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    assertEquals("[2.5,1.5]", await(job + ".0.1", "val/loss", 2).path("mean").toString());
    assertEquals(3, await(job + ".0.1", "last", 1).path("last").asDouble());
  }

  @Test
  void values_that_are_no_numbers_and_lines_that_are_none_are_said() throws IOException {
    long job =
        service.submit(
            "printf 'loss nan 5\\nloss 1 6\\nthis is no line at all\\n' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    await(job + ".0.1", "loss", 1);
    Result text = service.cli("history", String.valueOf(job));
    assertTrue(text.err().contains("loss was nan once at step 5"), text::toString);
    assertTrue(
        text.err()
            .contains("a line is not name value [step], as loss 0.31 200; the last: 'this is"),
        text::toString);
  }

  @Test
  void a_flood_is_thinned_and_says_so() throws IOException {
    long job =
        service.submit(
            "awk 'BEGIN { for (i = 0; i < 1000000; i++) print \"x\", i, i }' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    service.await(
        "the end of the flood",
        SOON,
        () -> reported(job + ".0.1", "x").path("last").asDouble() == 999_999);
    JsonNode kept = reported(job + ".0.1", "x");
    assertTrue(kept.path("mean").size() <= 200, kept::toString);
    Result text = service.cli("history", String.valueOf(job));
    assertTrue(text.err().contains("came faster than"), text::toString);
  }
}
