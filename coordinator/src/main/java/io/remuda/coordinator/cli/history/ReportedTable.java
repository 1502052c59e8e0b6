package io.remuda.coordinator.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.CurveText;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.telemetry.render.BarStyle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What programs have reported, as text: a metric of all tasks, then the next metric. */
final class ReportedTable {

  /** A metric of a task. */
  private record Row(String title, int place, JsonNode curve) {
    private String metric() {
      return curve.path("metric").asText();
    }
  }

  private ReportedTable() {}

  /**
   * Returns the table.
   *
   * @param series of an answer of the server, with the names that a user knows as {@code title}
   * @param columns of a curve
   */
  static TextTable of(List<JsonNode> series, int columns, BarStyle style) {
    List<Row> rows = new ArrayList<>();
    for (JsonNode one : series) {
      for (JsonNode curve : one.path("reported")) {
        rows.add(new Row(one.path("title").asText(), rows.size(), curve));
      }
    }
    rows.sort(Comparator.comparing(Row::metric).thenComparing(Row::place));
    TextTable table =
        new TextTable("TASK", "REPORTED", "CURVE", "LAST", "MIN", "MAX", "STEP", "VALUES");
    for (Row row : rows) {
      JsonNode curve = row.curve();
      double lowest = curve.path("lowest").asDouble();
      double highest = curve.path("highest").asDouble();
      table.row(
          row.title(),
          row.metric(),
          CurveText.line(curve.path("mean"), Math.min(0, lowest), highest, columns, style),
          CurveText.number(curve.path("last").asDouble()),
          CurveText.number(lowest),
          CurveText.number(highest),
          lastStep(curve.path("step")),
          curve.path("count").asText());
    }
    return table;
  }

  private static String lastStep(JsonNode steps) {
    String last = "-";
    for (JsonNode step : steps) {
      last = step.isNumber() ? CurveText.number(step.asDouble()) : last;
    }
    return last;
  }

  /** Returns what there is to say about values that are missing. */
  static List<String> notes(List<JsonNode> series) {
    List<String> notes = new ArrayList<>();
    for (JsonNode one : series) {
      one.path("notes")
          .forEach(note -> notes.add(one.path("title").asText() + ": " + note.asText()));
    }
    return notes;
  }
}
