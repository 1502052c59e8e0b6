package io.remuda.coordinator.report.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.replay.Comparison;
import io.remuda.coordinator.report.HtmlFile;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerReportTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-11-28T17:00:00Z");

  private int tasks = 1;
  private boolean hasHistory;

  private JsonNode answer(String path) throws IOException {
    if (path.startsWith("/history") && hasHistory) {
      return JSON.readTree("{\"from\": 1795884300, \"step\": 1, \"series\": []}");
    }
    if (path.startsWith("/jobs/7/tasks")) {
      int first = path.contains("first=") ? Integer.parseInt(path.replaceAll(".*first=", "")) : 0;
      return page(first);
    }
    if (path.startsWith("/jobs/7/waiting") || path.startsWith("/history")) {
      throw new RestFailureException(404, "this server keeps no history");
    }
    if (path.startsWith("/jobs/7")) {
      return job();
    }
    if (path.startsWith("/jobs?")) {
      return JSON.createObjectNode().set("jobs", JSON.createArrayNode().add(job()));
    }
    if (path.equals("/nodes")) {
      return JSON.readTree(
          "{\"nodes\": [{\"name\": \"n1\", \"devices\": [{\"uuid\": \"GPU-a\", \"number\": 0}]}]}");
    }
    if (path.equals("/version") || path.startsWith("/usage")) {
      return JSON.createObjectNode();
    }
    throw new RestFailureException(404, "there is no " + path);
  }

  private ObjectNode job() {
    return JSON.createObjectNode()
        .put("id", 7)
        .put("name", "sweep")
        .put("user", "ann")
        .put("state", "failed")
        .put("tasks", tasks)
        .put("submittedAt", "2026-11-28T15:00:00Z")
        .put("startedAt", "2026-11-28T15:00:00Z")
        .put("endedAt", "2026-11-28T16:00:00Z");
  }

  /** Tasks of an hour each; one in ten has failed, and the memory that one needs grows. */
  private ObjectNode page(int first) {
    ObjectNode page = JSON.createObjectNode();
    ArrayNode all = page.putArray("tasks");
    for (int task = first; task < Math.min(tasks, first + 700); task++) {
      all.addObject()
          .put("id", "7." + task)
          .put("index", task)
          .put("state", task % 10 == 9 ? "failed" : "succeeded")
          .put("startedAt", "2026-11-28T15:00:00Z")
          .put("endedAt", "2026-11-28T16:00:00Z")
          .put("peakRssBytes", (1L << 20) * (task + 1));
    }
    if (first + 700 < tasks) {
      page.put("next", first + 700);
    }
    return page;
  }

  private ServerReport report() {
    return new ServerReport(
        this::answer, (job, task, stream) -> "", Clock.fixed(NOW, ZoneOffset.UTC), ZoneOffset.UTC);
  }

  @Test
  void sums_are_over_all_tasks_however_many_pages_they_are() throws IOException {
    hasHistory = true;
    tasks = 2500;
    HtmlFile html = HtmlFile.of(report().ofJobs(List.of(7L)).html());
    assertTrue(html.text("dd").contains("2500.0 h"), html.text("dd"));
    assertTrue(html.text("dd").contains("250 failed"), html.text("dd"));
    assertTrue(html.text("td").contains("2.44 GiB at most"), html.text("td"));
    assertTrue(html.text("p").contains("and 200 more"), html.text("p"));
  }

  @Test
  void a_server_without_history_has_a_report_that_says_so() throws IOException {
    HtmlFile job = HtmlFile.of(report().ofJobs(List.of(7L)).html());
    assertTrue(job.text("p").contains("keeps no history of readings"), job.text("p"));
    assertEquals(2, job.count("svg"), "attempts, for large and small screens");
    HtmlFile time = HtmlFile.of(report().since(NOW.getEpochSecond() - 3600).html());
    assertTrue(time.text("p").contains("keeps no history of readings"), time.text("p"));
    assertTrue(time.text("h2").contains("What ran where"), time.text("h2"));
    assertTrue(time.text("td").contains("sweep"), time.text("td"));
    hasHistory = true;
    HtmlFile with = HtmlFile.of(report().ofJobs(List.of(7L)).html());
    assertTrue(!with.text("p").contains("keeps no history"), with.text("p"));
  }

  @Test
  void what_would_have_been_stands_in_the_report_of_a_time_if_it_is_asked() throws IOException {
    Comparison compared =
        new Comparison(
            "2026-11-01T09:00:00Z",
            "2026-11-02T09:00:00Z",
            2,
            3,
            1,
            1,
            8,
            List.of(
                new Comparison.Case(
                    "with h100:8", "fair", null, List.of(), 75.2, 0, 5, 900, 71.25, 4, 0.5, 2)),
            List.of("Nobody knows."));
    HtmlFile html =
        HtmlFile.of(report().since(NOW.getEpochSecond() - 3600, Optional.of(compared)).html());
    assertTrue(html.text("h2").contains("What would have been"), html.text("h2"));
    assertTrue(html.text("th").contains("GPUs held"), html.text("th"));
    assertTrue(html.text("td").contains("1 min 15 s"), html.text("td"));
    assertTrue(html.text("td").contains("71.3 %"), html.text("td"));
    assertTrue(
        html.text("p").contains("2 jobs, 3 tasks of 1 user from 2026-11-01 09:00"), html.text("p"));
    assertTrue(html.text("p").contains("with h100:8: 2 tasks left out"), html.text("p"));
    assertTrue(html.text("p").contains("does not know: Nobody knows."), html.text("p"));
  }
}
