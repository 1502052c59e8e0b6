package io.remuda.coordinator.cli.output;

import io.remuda.telemetry.render.PrintableText;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table whose columns are as wide as their widest cell; the last column is not padded, and one
 * with nothing in it takes no room.
 */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... heading) {
    rows.add(new ArrayList<>(List.of(heading)));
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

  /** Returns the number of rows below the heading. */
  public int rows() {
    return rows.size() - 1;
  }

  /** Stands at the end of a text that is cut. */
  private static final String CUT =
      Charset.defaultCharset().newEncoder().canEncode('\u2026') ? "\u2026" : "+";

  /** Most columns of a cell, except in the last column, where lines have a width. */
  private static final int WIDEST = 40;

  /** Returns lines that are no wider than a terminal: long texts are cut, with a mark. */
  public List<String> lines(int width) {
    for (List<String> row : rows) {
      for (int column = 0; column < row.size() - 1; column++) {
        row.set(column, PrintableText.cut(row.get(column), WIDEST, CUT));
      }
    }
    return lines().stream().map(line -> PrintableText.cut(line, width, CUT)).toList();
  }

  /** Returns the lines, without trailing blanks. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    int[] widths = new int[rows.get(0).size()];
    Arrays.setAll(widths, this::width); // once: there may be many rows
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column));
        if (column < row.size() - 1 && widths[column] > 0) {
          line.append(" ".repeat(widths[column] - PrintableText.columns(row.get(column)) + 2));
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
