package io.remuda.coordinator.ensemble.report;

import io.remuda.coordinator.drawing.AttemptsDrawing;
import io.remuda.coordinator.drawing.CurvePanel;
import io.remuda.coordinator.drawing.CurveSeries;
import io.remuda.coordinator.drawing.CurvesDrawing;
import io.remuda.coordinator.drawing.TimelineDrawing;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.coordinator.report.ReportBlock;
import io.remuda.coordinator.report.ReportBlock.Tile;
import io.remuda.coordinator.report.ReportPage;
import io.remuda.coordinator.report.ReportSection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the report of a run that has ended, in order or not. */
public final class RunReport {

  private static final double JOULES_OF_WATT_HOUR = 3600;
  private static final int MOST_TASKS = 60;
  private static final int MOST_NODES = 16;
  private static final int INTERRUPTED = 128;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm:ss", Locale.ENGLISH);

  private RunReport() {}

  /**
   * Returns the report.
   *
   * @param run its name
   * @param events its event log
   * @param exitCode of the run
   * @param now in seconds since 1970
   */
  public static ReportPage of(
      String run, RunRecorder recorded, Path events, int exitCode, long now, ZoneId zone)
      throws IOException {
    long from = recorded.startedAt();
    long to = Math.max(from + 1, now);
    RunTasks tasks = RunTasks.read(events);
    List<ReportSection> sections = new ArrayList<>();
    sections.add(
        new ReportSection("Summary", List.of(tiles(recorded, tasks, exitCode, to - from))));
    String results = String.join("\n", recorded.results());
    if (!results.isEmpty()) {
      sections.add(
          new ReportSection("Results", List.of(new ReportBlock.Output("As printed", results))));
    }
    Map<String, String> gpus = recorded.gpus();
    if (!gpus.isEmpty()) {
      TimelineDrawing where =
          new TimelineDrawing(
              "What ran where",
              from,
              to,
              gpus.values().stream().sorted().toList(),
              tasks.onGpus(gpus));
      sections.add(
          new ReportSection(
              "What ran where", List.of(ReportBlock.Drawing.of("", zone, where::svg))));
    }
    int more = Math.max(0, tasks.size() - MOST_TASKS);
    AttemptsDrawing attempts =
        new AttemptsDrawing("Tasks", from, to, tasks.rows(MOST_TASKS, from, to), more);
    sections.add(
        new ReportSection("Tasks", List.of(ReportBlock.Drawing.of("", zone, attempts::svg))));
    recorded.nodes().stream()
        .limit(MOST_NODES)
        .forEach(node -> sections.add(node(node, recorded, from, to, zone)));
    sections.add(
        new ReportSection(
            "Messages",
            List.of(
                new ReportBlock.Output(
                    "The newest lines of the run", String.join("\n", recorded.lines())))));
    String began = TIME.format(Instant.ofEpochSecond(from).atZone(zone));
    return new ReportPage("Run " + run, List.of("began " + began + ", " + zone), sections);
  }

  private static ReportBlock tiles(RunRecorder recorded, RunTasks tasks, int code, long seconds) {
    double joules = recorded.joules();
    return new ReportBlock.Tiles(
        List.of(
            new Tile("Exit code", Integer.toString(code), end(code)),
            new Tile("Duration", seconds + " s", ""),
            new Tile("Nodes", Integer.toString(recorded.nodes().size()), ""),
            new Tile("GPUs", Integer.toString(recorded.gpus().size()), ""),
            new Tile("Tasks", Integer.toString(tasks.size()), ""),
            new Tile(
                "Energy of the GPUs",
                joules == 0 ? "unknown" : UnitText.of(joules / JOULES_OF_WATT_HOUR, "Wh"),
                "all that was on them")));
  }

  private static String end(int code) {
    return code == 0 ? "all succeeded" : code > INTERRUPTED ? "interrupted" : "something failed";
  }

  private static ReportSection node(
      String node, RunRecorder recorded, long from, long to, ZoneId zone) {
    Map<String, List<CurveSeries>> panels = new LinkedHashMap<>();
    Map<String, String> units = new LinkedHashMap<>();
    for (RunRecorder.Curve curve : recorded.curves(node)) {
      panels.computeIfAbsent(curve.panel(), panel -> new ArrayList<>()).add(curve.series());
      units.put(curve.panel(), curve.unit());
    }
    List<CurvePanel> drawn = new ArrayList<>();
    panels.forEach((panel, series) -> drawn.add(new CurvePanel(panel, units.get(panel), series)));
    CurvesDrawing curves = new CurvesDrawing("Node " + node, from, to, drawn);
    return new ReportSection(
        "Node " + node, List.of(ReportBlock.Drawing.of("", zone, curves::svg)));
  }
}
