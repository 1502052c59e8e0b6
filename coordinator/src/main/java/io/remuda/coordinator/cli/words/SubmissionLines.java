package io.remuda.coordinator.cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What somebody at a terminal is told of jobs that were just submitted. */
public final class SubmissionLines {

  private static final int PAGE = 1000;

  private SubmissionLines() {}

  /** Returns a line for each job, with its name: {@code job 1 (sleep), 20 tasks}. */
  public static List<String> of(RestClient server, List<Long> ids) throws IOException {
    Map<Long, JsonNode> jobs = new TreeMap<>();
    if (ids.size() == 1) {
      jobs.put(ids.get(0), server.get("/jobs/" + ids.get(0)));
    } else {
      read(server, ids, jobs);
    }
    return ids.stream().map(id -> line(id, jobs.get(id))).toList();
  }

  /** Reads pages of jobs, the newest first, back to the first of these. */
  private static void read(RestClient server, List<Long> ids, Map<Long, JsonNode> jobs)
      throws IOException {
    long before = ids.stream().max(Long::compare).orElse(0L) + 1;
    long first = ids.stream().min(Long::compare).orElse(0L);
    while (before > first) {
      JsonNode page = server.get("/jobs?all&limit=" + PAGE + "&before=" + before);
      page.path("jobs").forEach(job -> jobs.put(job.path("id").asLong(), job));
      if (!page.path("next").isNumber()) {
        return;
      }
      before = page.path("next").asLong();
    }
  }

  /**
   * Returns the line of one job.
   *
   * @param job as the server shows it; null if it is not known
   */
  static String line(long id, JsonNode job) {
    if (job == null) {
      return "job " + id;
    }
    int tasks = job.path("tasks").asInt(1);
    return "job "
        + id
        + " ("
        + PrintableText.of(job.path("name").asText())
        + ")"
        + (tasks > 1 ? ", " + tasks + " tasks" : "");
  }

  /** Returns what to type next. */
  public static String hint(List<Long> ids) {
    long first = ids.get(0);
    return ids.size() == 1
        ? "remuda logs -f "
            + first
            + " follows its output, remuda explain "
            + first
            + " says why it waits"
        : "remuda state shows how far they are, remuda logs -f "
            + first
            + " the output of the first";
  }
}
