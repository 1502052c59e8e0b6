package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Jobs as {@code remuda state} lists them. */
public final class StateTable {

  private static final Set<String> WITHOUT_PLACE = Set.of("submitted", "waiting");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

  private final TextTable table;

  /**
   * @param jobs as the server lists them with their progress
   * @param now with the zone in which times are shown
   */
  public StateTable(JsonNode jobs, ZonedDateTime now) {
    Instant instant = now.toInstant();
    boolean waits = false;
    for (JsonNode job : jobs) {
      waits |= WITHOUT_PLACE.contains(job.path("state").asText());
    }
    List<String> heading = new ArrayList<>(List.of("JOB", "STATE", "TASKS"));
    heading.addAll(waits ? List.of("TURN", "START") : List.of());
    heading.addAll(List.of("SUBMITTED", "RAN", "USER", "NAME", "REASON"));
    this.table = new TextTable(heading.toArray(String[]::new));
    for (JsonNode job : jobs) {
      List<String> row = new ArrayList<>();
      row.add(job.path("id").asText() + (job.has("task") ? "." + job.path("task").asText() : ""));
      row.add(job.path("state").asText());
      row.add(TaskCountText.of(job));
      if (waits) {
        row.add(job.path("turn").asText());
        row.add(start(job, now));
      }
      row.add(ElapsedTime.of(text(job, "submittedAt"), instant));
      row.add(ElapsedTime.span(text(job, "startedAt"), text(job, "endedAt"), instant));
      row.add(job.path("user").asText());
      row.add(job.path("name").asText());
      row.add(EpochText.withReason(job, instant));
      table.row(row.toArray());
    }
  }

  /** Returns when a job may start, a question mark if nobody knows, or nothing if it has. */
  private static String start(JsonNode job, ZonedDateTime now) {
    String expected = text(job, "expectedStartAt");
    if (expected == null) {
      return WITHOUT_PLACE.contains(job.path("state").asText()) ? "?" : "";
    }
    ZonedDateTime start = Instant.parse(expected).atZone(now.getZone());
    boolean today = start.toLocalDate().equals(now.toLocalDate());
    return "~" + (today ? TIME : DAY).format(start);
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
