package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;

/** Jobs as {@code remuda state} lists them. */
public final class StateTable {

  private final TextTable table;

  /**
   * @param jobs as the server lists them with their progress
   * @param now with the zone in which times are shown
   */
  public StateTable(JsonNode jobs, ZonedDateTime now) {
    Instant instant = now.toInstant();
    this.table =
        new TextTable("JOB", "STATE", "TASKS", "SUBMITTED", "RAN", "USER", "NAME", "REASON");
    for (JsonNode job : jobs) {
      table.row(
          job.path("id").asText() + (job.has("task") ? "." + job.path("task").asText() : ""),
          job.path("state").asText(),
          TaskCountText.of(job),
          ElapsedTime.of(text(job, "submittedAt"), instant),
          ElapsedTime.span(text(job, "startedAt"), text(job, "endedAt"), instant),
          job.path("user").asText(),
          job.path("name").asText(),
          EpochText.withReason(job, instant));
    }
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).isTextual() ? node.path(field).asText() : null;
  }

  /** Returns all lines, with nothing cut. */
  public List<String> lines() {
    return table.lines();
  }

  /** Returns lines for a terminal, long texts cut. */
  public List<String> lines(int width) {
    return table.lines(width);
  }
}
