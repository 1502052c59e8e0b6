package io.remuda.coordinator.cli.output;

import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** Rows with columns as wide as the widest of what is shown; the last one is not padded. */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with a heading. */
  public TextTable(String... heading) {
    rows.add(List.of(heading));
  }

  /** Adds a row of one line; null is shown as nothing. */
  public TextTable row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "" : PrintableText.of(cell.toString()));
    }
    rows.add(row);
    return this;
  }

  /** The lines, without trailing blanks. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int width = width(column);
        line.append(row.get(column));
        if (column < row.size() - 1) {
          line.append(" ".repeat(width - PrintableText.columns(row.get(column)) + 2));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() > column)
        .mapToInt(row -> PrintableText.columns(row.get(column)))
        .max()
        .orElse(0);
  }
}
