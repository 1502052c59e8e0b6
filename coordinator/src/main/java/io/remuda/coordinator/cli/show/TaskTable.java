package io.remuda.coordinator.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.ElapsedTime;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.sweep.SweepText;
import io.remuda.worker.job.sweep.SweepAxis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tasks as a table: a row for each attempt, the newest of a task last. */
public final class TaskTable {

  /** Length of a UUID as drivers report it, such as {@code GPU-1c5b2f1e-…}. */
  private static final int DRIVERS_UUID = 40;

  private static final int BEGINNING = 12;

  private static final Set<String> UNDER_WAY = Set.of("starting", "running");

  private TaskTable() {}

  /** Returns the table of these tasks. */
  public static TextTable of(JsonNode tasks, Instant now) {
    TextTable table =
        new TextTable(
            "TASK",
            "STATE",
            "TRY",
            "NODE",
            "GPUS",
            "RAN",
            "EXIT",
            "PEAK MIB",
            "CPU S",
            "CPU %",
            "GPU %",
            "GPU MIB",
            tasks.path(0).has("parameters") ? "PARAMETERS" : "",
            "CAUSE");
    for (JsonNode task : tasks) {
      for (JsonNode earlier : task.path("earlier")) {
        table.row(
            name(task),
            "tried",
            earlier.path("attempt").asText(),
            text(earlier, "node"),
            "",
            ElapsedTime.span(text(earlier, "startedAt"), text(earlier, "endedAt"), now),
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            text(earlier, "cause"));
      }
      add(table, task, now);
    }
    return table;
  }

  private static void add(TextTable table, JsonNode task, Instant now) {
    boolean runs = UNDER_WAY.contains(task.path("state").asText()); // the rest is of an earlier try
    String signal = text(task, "signal");
    String exit = signal == null ? text(task, "exitCode") : "signal " + signal;
    table.row(
        name(task),
        task.path("state").asText(),
        task.path("attempt").asText(),
        text(task, "node"),
        devices(task.path("devices")),
        ElapsedTime.ran(
            text(task, "startedAt"), text(task, "endedAt"), task.path("wallMillis"), now),
        runs ? null : exit,
        mebibytes(task.path("peakRssBytes")),
        task.path("cpuMillis").isNumber() ? task.path("cpuMillis").asLong() / 100 / 10.0 : null,
        text(task, "cpuPercent"),
        gpuPercent(task),
        mebibytes(task.path("gpuPeakBytes")),
        SweepText.parameters(task.path("parameters")),
        runs ? null : text(task, "cause"));
  }

  /** Returns its number, with its array index unless the parameters have it. */
  private static String name(JsonNode task) {
    boolean known = task.path("parameters").has(SweepAxis.Indices.NAME);
    return task.path("id").asText() + (known ? "" : ChosenJob.index(task));
  }

  private static Long mebibytes(JsonNode bytes) {
    return bytes.isNumber() ? bytes.asLong() >> 20 : null;
  }

  /** Returns mean and highest utilisation, as {@code 40/97}; null if they are not known. */
  private static String gpuPercent(JsonNode task) {
    String mean = text(task, "gpuPercent");
    return mean == null ? null : mean + "/" + text(task, "gpuMostPercent");
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNull() || value.isMissingNode() ? null : value.asText();
  }

  /** Returns the beginnings of the UUIDs: {@code GPU-} and eight digits. */
  private static String devices(JsonNode uuids) {
    List<String> parts = new ArrayList<>();
    uuids.forEach(uuid -> parts.add(beginning(uuid.asText())));
    return String.join(",", parts);
  }

  private static String beginning(String uuid) {
    return uuid.length() == DRIVERS_UUID ? uuid.substring(0, BEGINNING) : uuid;
  }
}
