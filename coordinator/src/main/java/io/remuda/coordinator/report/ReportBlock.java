package io.remuda.coordinator.report;

import io.remuda.coordinator.drawing.DrawingOptions;
import io.remuda.coordinator.drawing.DrawingTheme;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;

/** A part of a section of a report. */
public sealed interface ReportBlock {

  /** Figures beside each other. */
  record Tiles(List<Tile> tiles) implements ReportBlock {
    public Tiles {
      tiles = List.copyOf(tiles);
    }
  }

  /**
   * A figure.
   *
   * @param label what it is of
   * @param value as {@code 12.3 h}
   * @param note what to know of it; empty for nothing
   */
  record Tile(String label, String value, String note) {}

  /**
   * A table.
   *
   * @param heads of the columns; one that begins with {@code >} is of numbers and stands at the
   *     right
   */
  record Table(List<String> heads, List<List<String>> rows) implements ReportBlock {
    public Table {
      heads = List.copyOf(heads);
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /**
   * A drawing of the theme for pages.
   *
   * @param caption what it shows; empty for nothing
   * @param wide SVG for large screens and paper
   * @param narrow the same for small screens
   */
  record Drawing(String caption, String wide, String narrow) implements ReportBlock {

    public static final int WIDE = 960;

    public static final int NARROW = 340;

    /** Draws with both widths. */
    public static Drawing of(
        String caption, ZoneId zone, Function<DrawingOptions, String> drawing) {
      DrawingOptions wide = new DrawingOptions(WIDE, DrawingTheme.PAGE, zone);
      return new Drawing(caption, drawing.apply(wide), drawing.apply(wide.wide(NARROW)));
    }
  }

  /** A paragraph. */
  record Words(String text) implements ReportBlock {}

  /**
   * Lines that a program printed.
   *
   * @param caption whose
   */
  record Output(String caption, String lines) implements ReportBlock {}
}
