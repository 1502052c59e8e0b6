package io.remuda.coordinator.cli.output;

import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their widest cell; the last column is not padded. */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... heading) {
    rows.add(List.of(heading));
  }

  /** Adds a row of one line; null is an empty cell. */
  public TextTable row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "" : PrintableText.of(cell.toString()));
    }
    rows.add(row);
    return this;
  }

  /** Returns the lines, without trailing blanks. */
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
