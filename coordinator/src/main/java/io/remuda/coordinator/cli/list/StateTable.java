package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.TextTable;
import java.time.ZonedDateTime;
import java.util.List;

/** Jobs as {@code remuda state} lists them. */
public final class StateTable {

  private final TextTable table;

  /**
   * @param jobs as the server lists them with their progress
   * @param chosen its columns; empty for the usual ones
   * @param now with the zone in which times are shown
   */
  public StateTable(JsonNode jobs, List<StateColumn> chosen, ZonedDateTime now) {
    List<StateColumn> columns = chosen.isEmpty() ? StateColumn.usual(jobs) : chosen;
    this.table = new TextTable(columns.stream().map(StateColumn::name).toArray(String[]::new));
    for (JsonNode job : jobs) {
      table.row(columns.stream().map(column -> column.cell(job, now)).toArray());
    }
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
