package io.remuda.coordinator.drawing;

import java.util.List;

/**
 * What all drawings have: the root element with title and words, heading, hatches, axis of time.
 */
final class DrawingFrame {

  /** Height of the axis of time, in pixels. */
  static final double TIME_AXIS = 38;

  private static final double HEADING = 30;
  private static final double MARGIN = 6;
  private static final double SECOND_LINE = 13;

  private final String title;
  private final String summary;
  private final DrawingOptions options;
  private final TimeAxis time;
  private final MarkupWriter svg = new MarkupWriter();
  private final String id;

  /**
   * @param summary what is to be seen, in words
   * @param time null for a drawing that has no time
   */
  DrawingFrame(String title, String summary, DrawingOptions options, TimeAxis time) {
    this.title = title;
    this.summary = summary;
    this.options = options;
    this.time = time;
    this.id = "h" + Integer.toHexString((title + summary + options.width()).hashCode());
  }

  /** Returns the first pixel below the heading. */
  double top() {
    return options.hasHeading() ? HEADING + MARGIN : MARGIN;
  }

  /**
   * Begins the drawing.
   *
   * @param height of what stands below the heading, in pixels
   */
  MarkupWriter begin(double height) {
    long all = (long) Math.ceil(top() + height);
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "rd",
        "viewBox",
        "0 0 " + options.width() + " " + all,
        "width",
        options.width(),
        "height",
        all,
        "role",
        "img",
        "aria-label",
        title + ". " + summary,
        "data-from",
        time == null ? null : time.from(),
        "data-to",
        time == null ? null : time.to(),
        "data-left",
        time == null ? null : time.left(),
        "data-right",
        time == null ? null : time.right());
    svg.write("title", title);
    if (options.theme() != DrawingTheme.PAGE) {
      svg.style(DrawingStyle.of(options.theme()));
      svg.add("rect", "class", "bg", "width", options.width(), "height", all);
    }
    hatches();
    if (options.hasHeading()) {
      String words = TextWidth.cut(title, (options.width() - 2 * MARGIN) / 1.35);
      svg.write("text", words, "class", "h", "x", MARGIN + 2, "y", 22);
    }
    return svg.newLine();
  }

  private void hatches() {
    svg.open("defs");
    hatch(id, "M0 6L6 0M-1 1L1-1M5 7L7 5", "q");
    hatch(id + "b", "M0 0L6 6M-1 5L1 7M5-1L7 1", "q z");
    svg.close();
  }

  private void hatch(String name, String path, String classes) {
    svg.open("pattern", "id", name, "width", 6, "height", 6, "patternUnits", "userSpaceOnUse");
    svg.add("path", "class", classes, "d", path, "stroke-opacity", ".45").close();
  }

  /** Returns the fill of what is not known, or of time in which nothing ran. */
  String hatch() {
    return "url(#" + id + ")";
  }

  /** Returns the fill that stands over a colour, of what went wrong or is promised and unused. */
  String overlay() {
    return "url(#" + id + "b)";
  }

  /** Draws the lines of round times over a panel. */
  void timeLines(double top, double height) {
    StringBuilder path = new StringBuilder();
    for (TimeAxis.Tick tick : time.ticks()) {
      path.append('M').append(CurvesDrawing.xy(time.x(tick.second()), top));
      path.append('v').append(MarkupWriter.number(height));
    }
    if (path.length() > 0) {
      svg.add("path", "class", "g", "d", path);
    }
  }

  /** Draws the axis of time below what ends at a height. */
  void timeAxis(double y) {
    svg.add(
        "path",
        "class",
        "g x",
        "d",
        "M" + CurvesDrawing.xy(time.left(), y) + "H" + MarkupWriter.number(time.right()));
    double zoneFrom = time.right() - TextWidth.of(time.zone().getId());
    List<TimeAxis.Tick> ticks = time.ticks();
    for (TimeAxis.Tick tick : ticks) {
      double x = time.x(tick.second());
      double half = TextWidth.of(tick.label()) / 2;
      double middle = Math.min(options.width() - half - 1, Math.max(half + 1, x));
      svg.write("text", tick.label(), "class", "s m", "x", middle, "y", y + 15);
      if (tick.day() != null && x + 24 < zoneFrom) {
        svg.write("text", tick.day(), "class", "s m", "x", middle, "y", y + 15 + SECOND_LINE);
      }
    }
    svg.write(
        "text", time.zone().getId(), "class", "s e", "x", time.right(), "y", y + 15 + SECOND_LINE);
    svg.newLine();
  }

  /** Ends the drawing and returns it. */
  String end() {
    return svg.close().newLine().toString();
  }
}
