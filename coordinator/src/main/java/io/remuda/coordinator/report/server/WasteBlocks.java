package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import io.remuda.coordinator.report.ReportBlock;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** What was held and not used, and what mends it. */
final class WasteBlocks {

  private static final int NOT_FOUND = 404;
  private static final int MOST_ROWS = 100;

  private final ServerAnswers server;
  private final JobTables tables;

  /**
   * @param tables say how times are written
   */
  WasteBlocks(ServerAnswers server, JobTables tables) {
    this.server = server;
    this.tables = tables;
  }

  /** Returns what is known of the days since a first one; nothing if nothing is wasted. */
  List<ReportBlock> since(LocalDate day) throws IOException {
    try {
      return of(server.get("/waste?since=" + day));
    } catch (RestFailureException no) {
      if (no.status() != NOT_FOUND) {
        return List.of(new ReportBlock.Words("What was wasted is not known: " + no.getMessage()));
      }
      return unused(server.get("/usage?by=user&since=" + day)); // of an earlier build
    }
  }

  private List<ReportBlock> of(JsonNode waste) {
    List<ReportBlock> blocks = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : waste.path("rows")) {
      if (rows.size() < MOST_ROWS) {
        rows.add(
            List.of(
                JobTables.text(row.path("user")),
                where(row),
                since(row) + JobTables.text(row.path("text")),
                JobTables.text(row.path("command"))));
      }
    }
    add(blocks, List.of("User", "Where", "What is wasted", "What mends it"), rows);
    int less = waste.path("idleForLess").asInt();
    if (less > 0) {
      blocks.add(
          new ReportBlock.Words(
              (less == 1 ? "1 GPU is" : less + " GPUs are")
                  + " held and idle for less than 5 minutes."));
    }
    List<List<String>> gaps = new ArrayList<>();
    for (JsonNode gap : waste.path("gaps")) {
      gaps.add(
          List.of(
              gap.path("text").asText(gap.path("reason").asText().replace('-', ' ')),
              JobTables.hours(gap.path("gpuHours").asDouble())));
    }
    add(blocks, List.of("Why GPUs had nobody", ">GPU hours"), gaps);
    List<List<String>> energy = new ArrayList<>();
    for (JsonNode one : waste.path("energy")) {
      String name = JobTables.text(one.path("name"));
      energy.add(
          List.of(
              one.path("by").asText() + (name.isEmpty() ? "" : " " + name),
              UnitText.of(one.path("kwh").asDouble(), "kWh")));
    }
    add(blocks, List.of("Energy of GPUs by", ">Energy"), energy);
    if (!energy.isEmpty() || !gaps.isEmpty()) {
      blocks.add(
          new ReportBlock.Words(
              "Times and energy of GPUs are counted by days in UTC, here since "
                  + tables.time(waste.path("energySince").asLong())
                  + "."));
    }
    return blocks;
  }

  private String since(JsonNode row) {
    return row.path("idleSince").isNumber()
        ? "idle since " + tables.time(row.path("idleSince").asLong()) + ": "
        : "";
  }

  private static String where(JsonNode row) {
    String gpu = JobTables.text(row.path("gpu"));
    String node = JobTables.text(row.path("node"));
    return gpu.isEmpty() ? node.isEmpty() ? JobTables.text(row.path("type")) : node : gpu;
  }

  private static void add(List<ReportBlock> blocks, List<String> heads, List<List<String>> rows) {
    if (!rows.isEmpty()) {
      blocks.add(new ReportBlock.Table(heads, rows));
    }
  }

  private static List<ReportBlock> unused(JsonNode usage) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode one : usage.path("unused")) {
      rows.add(
          List.of(one.path("user").asText(), one.path("type").asText(), one.path("text").asText()));
    }
    List<ReportBlock> blocks = new ArrayList<>();
    add(blocks, List.of("User", "Type", "What was held and not used"), rows);
    return blocks;
  }
}
