package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the signs of attempts mean, in as many lines as they need. */
record SignLegend(List<Entry> entries, double height) {

  private static final double LINE = 20;
  private static final double SIGN = 16;
  private static final double BETWEEN = 18;

  record Entry(AttemptSpan.Kind kind, double x, double y) {}

  static SignLegend of(Set<AttemptSpan.Kind> kinds, double width) {
    List<Entry> entries = new ArrayList<>();
    double x = 8;
    double y = 0;
    for (AttemptSpan.Kind kind : kinds) {
      double wide = SIGN + TextWidth.of(kind.words()) + BETWEEN;
      if (x + wide > width && x > 8) {
        x = 8;
        y += LINE;
      }
      entries.add(new Entry(kind, x, y));
      x += wide;
    }
    return new SignLegend(entries, entries.isEmpty() ? 0 : y + LINE + 4);
  }

  void draw(MarkupWriter svg, double top, DrawingFrame frame) {
    for (Entry entry : entries) {
      double y = top + entry.y();
      if (entry.kind() == AttemptSpan.Kind.WAITED) {
        svg.add("rect", "class", "r f", "x", entry.x(), "y", y + 5, "width", 12, "height", 9);
        svg.add(
            "rect", "fill", frame.hatch(), "x", entry.x(), "y", y + 5, "width", 12, "height", 9);
      } else {
        AttemptsDrawing.sign(svg, entry.kind(), entry.x() + 6, y + 10);
      }
      svg.write("text", entry.kind().words(), "class", "s", "x", entry.x() + SIGN, "y", y + 14);
    }
  }
}
