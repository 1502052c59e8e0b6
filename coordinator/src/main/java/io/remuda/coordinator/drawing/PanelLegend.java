package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * The heading of a panel of curves with the name of each, in as many lines as they need.
 *
 * @param first where the entries of each line begin, in pixels
 */
record PanelLegend(CurvePanel panel, double first, List<Place> places, int lines) {

  private static final double SAMPLE = 20;
  private static final double BETWEEN = 16;
  private static final double LINE = 22;

  /** Where an entry stands. */
  record Place(double x, int line, String label) {}

  static PanelLegend of(CurvePanel panel, double left, DrawingOptions options) {
    double x = left + TextWidth.bold(panel.title()) + BETWEEN;
    int line = 0;
    List<Place> places = new ArrayList<>();
    for (CurveSeries series : panel.series()) {
      String label = label(panel, series, options);
      double width = SAMPLE + 6 + TextWidth.of(label);
      if (x + width > options.width() && x > left) {
        line++;
        x = left;
      }
      places.add(new Place(x, line, label));
      x += width + BETWEEN;
    }
    return new PanelLegend(panel, left, places, line + 1);
  }

  private static String label(CurvePanel panel, CurveSeries series, DrawingOptions options) {
    String name = panel.title().equals(series.label()) ? "" : series.label();
    String shown = TextWidth.cut(name, options.isSmall() ? 120 : 220);
    if (Double.isNaN(series.average())) {
      return (shown + " unknown").strip();
    }
    String mean = "mean " + UnitText.of(series.average(), panel.unit());
    String most = "max " + UnitText.of(series.greatest(), panel.unit());
    return (shown.isEmpty() ? "" : shown + " · ")
        + (options.isSmall() || panel.series().size() > 4 ? mean : mean + " · " + most);
  }

  void draw(MarkupWriter svg, double top) {
    svg.write("text", panel.title(), "class", "b", "x", first, "y", top + 14);
    for (int index = 0; index < places.size(); index++) {
      Place place = places.get(index);
      double y = top + place.line() * LINE + 10;
      String dashes = index == 0 ? "" : " d" + index % DrawingStyle.COLOURS;
      svg.add(
          "path",
          "class",
          "l c" + index % DrawingStyle.COLOURS + dashes,
          "d",
          "M" + CurvesDrawing.xy(place.x(), y) + "h" + MarkupWriter.number(SAMPLE));
      svg.write("text", place.label(), "class", "s", "x", place.x() + SAMPLE + 6, "y", y + 4);
    }
  }
}
