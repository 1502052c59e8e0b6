package io.remuda.coordinator.drawing;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Curves over time: panels below each other with one axis of time. A mean is a line, what it is a
 * mean of a band behind it, and a time without values a gap, never a 0. A pixel column has at most
 * one point of each curve.
 *
 * @param title heading
 * @param from first second since 1970
 * @param to later
 * @param panels of at least one series each to be useful; none says that nothing is known
 */
public record CurvesDrawing(String title, long from, long to, List<CurvePanel> panels) {

  private static final double LABEL_GAP = 6;
  private static final double RIGHT = 20;
  private static final double PANEL = 92;
  private static final double HEAD = 22;
  private static final double BETWEEN = 12;
  private static final int TICKS = 4;
  private static final double GAP_PIXELS = 9;

  public CurvesDrawing {
    panels = List.copyOf(panels);
  }

  /** Returns the drawing as SVG. */
  public String svg(DrawingOptions options) {
    double left = Math.max(TimeAxis.left(options), labels());
    TimeAxis time = new TimeAxis(from, to, left, options.width() - RIGHT, options.zone());
    List<CurvePanel> shown = panels.isEmpty() ? List.of(new CurvePanel("", "", List.of())) : panels;
    List<PanelLegend> legends =
        shown.stream().map(panel -> PanelLegend.of(panel, left, options)).toList();
    double heads = legends.stream().mapToDouble(legend -> HEAD * legend.lines()).sum();
    double height = heads + shown.size() * (PANEL + BETWEEN) - BETWEEN;
    DrawingFrame frame = new DrawingFrame(title, summary(time), options, time);
    MarkupWriter svg = frame.begin(height + DrawingFrame.TIME_AXIS);
    double top = frame.top();
    for (int index = 0; index < shown.size(); index++) {
      legends.get(index).draw(svg, top);
      top += HEAD * legends.get(index).lines();
      panel(svg, shown.get(index), time, top, frame);
      top += PANEL + BETWEEN;
    }
    frame.timeAxis(top - BETWEEN);
    return frame.end();
  }

  /** Returns the pixels that the words of the axes need. */
  private double labels() {
    return panels.stream()
        .flatMap(panel -> axis(panel).ticks().stream().map(tick -> UnitText.of(tick, panel.unit())))
        .mapToDouble(TextWidth::of)
        .map(width -> width + 2 * LABEL_GAP)
        .max()
        .orElse(0);
  }

  private static ValueAxis axis(CurvePanel panel) {
    return ValueAxis.of(panel.unit(), panel.least(), panel.greatest(), TICKS);
  }

  private String summary(TimeAxis time) {
    String values =
        panels.stream()
            .flatMap(panel -> panel.series().stream().map(series -> words(panel, series)))
            .limit(20)
            .collect(Collectors.joining("; "));
    return time.words(from, to) + ": " + (values.isEmpty() ? "nothing is known" : values);
  }

  private static String words(CurvePanel panel, CurveSeries series) {
    String name =
        panel.title().equals(series.label()) ? panel.title() : panel.title() + " " + series.label();
    if (Double.isNaN(series.average())) {
      return name + " unknown";
    }
    return name
        + " "
        + UnitText.of(series.least(), panel.unit())
        + " to "
        + UnitText.of(series.greatest(), panel.unit())
        + ", mean "
        + UnitText.of(series.average(), panel.unit());
  }

  private void panel(
      MarkupWriter svg, CurvePanel panel, TimeAxis time, double top, DrawingFrame frame) {
    ValueAxis values = axis(panel);
    frame.timeLines(top, PANEL);
    for (double tick : values.ticks()) {
      double y = y(values, tick, top);
      svg.add(
          "path",
          "class",
          "g",
          "d",
          "M" + xy(time.left(), y) + "H" + MarkupWriter.number(time.right()));
      svg.write(
          "text",
          UnitText.of(tick, panel.unit()),
          "class",
          "s e",
          "x",
          time.left() - LABEL_GAP,
          "y",
          y + 4);
    }
    List<CurvePoints> all =
        panel.series().stream().map(series -> CurvePoints.of(series, time)).toList();
    gaps(svg, CurvePoints.gaps(all, time, GAP_PIXELS), time, top, frame);
    for (int index = 0; index < all.size(); index++) {
      CurveSeries series = panel.series().get(index);
      String classes = " c" + index % DrawingStyle.COLOURS;
      String band = all.get(index).band(value -> y(values, value, top));
      if (!band.isEmpty()) {
        svg.add("path", "class", "a" + classes, "d", band);
      }
      String line = all.get(index).line(value -> y(values, value, top));
      if (!line.isEmpty()) {
        String dashes = index == 0 ? "" : " d" + index % DrawingStyle.COLOURS;
        svg.addTitled(words(panel, series), "path", "class", "l" + classes + dashes, "d", line);
      }
    }
    svg.newLine();
  }

  private static void gaps(
      MarkupWriter svg, List<double[]> gaps, TimeAxis time, double top, DrawingFrame frame) {
    for (double[] gap : gaps) {
      svg.addTitled(
          "no readings",
          "rect",
          "fill",
          frame.hatch(),
          "x",
          gap[0],
          "y",
          top,
          "width",
          gap[1] - gap[0],
          "height",
          PANEL);
      if (gap[1] - gap[0] > 80) {
        svg.write(
            "text",
            "no readings",
            "class",
            "s m",
            "x",
            (gap[0] + gap[1]) / 2,
            "y",
            top + PANEL / 2 + 4);
      }
    }
  }

  private static double y(ValueAxis values, double value, double top) {
    return top + PANEL * (1 - values.height(value));
  }

  static String xy(double x, double y) {
    return MarkupWriter.number(x) + " " + MarkupWriter.number(y);
  }
}
