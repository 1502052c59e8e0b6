package io.remuda.coordinator.drawing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The memory of GPUs as bars, split by job: used, lent and not used (hatched), of others, of which
 * nothing is known (hatched as a time without readings), free.
 *
 * @param title heading
 */
public record MemoryDrawing(String title, List<Bar> bars) {

  /**
   * The memory of a GPU.
   *
   * @param label as {@code gpu1:0}
   * @param total bytes, more than 0
   * @param parts from the left, together at most {@code total} unless their readings are of
   *     different times
   */
  public record Bar(String label, long total, List<MemoryPart> parts) {

    public Bar {
      parts = List.copyOf(parts);
      if (total <= 0) {
        throw new IllegalArgumentException("total must be more than 0, got " + total);
      }
    }

    private long taken() {
      return parts.stream().mapToLong(MemoryPart::bytes).sum();
    }

    private boolean isKnown() {
      return parts.stream().noneMatch(part -> part.kind() == MemoryPart.Kind.UNKNOWN);
    }

    /** Returns how much is taken; what is not known may be free, too. */
    private String takenWords() {
      long known =
          parts.stream()
              .filter(part -> part.kind() != MemoryPart.Kind.UNKNOWN)
              .mapToLong(MemoryPart::bytes)
              .sum();
      return isKnown()
          ? UnitText.of(known, BYTES)
          : known == 0 ? "unknown" : UnitText.of(known, BYTES) + " or more";
    }
  }

  private static final double ROW = 30;
  private static final double BAR = 20;
  private static final String BYTES = "bytes";

  public MemoryDrawing {
    bars = List.copyOf(bars);
  }

  /** Returns the drawing as SVG. */
  public String svg(DrawingOptions options) {
    double most = options.isSmall() ? 76 : 150;
    double names = bars.stream().mapToDouble(bar -> TextWidth.of(bar.label())).max().orElse(0);
    double left = Math.max(30, Math.min(most, names)) + 12;
    double sums = options.isSmall() ? 0 : 150;
    DrawingFrame frame = new DrawingFrame(title, summary(), options, null);
    MarkupWriter svg = frame.begin(bars.size() * ROW + 6);
    Map<String, Integer> colours = new LinkedHashMap<>();
    double y = frame.top();
    for (Bar bar : bars) {
      String label = TextWidth.cut(bar.label(), most);
      svg.write("text", label, "class", "e", "x", left - 8, "y", y + BAR / 2 + 4);
      double width = options.width() - left - 12 - sums;
      parts(svg, bar, left, y, width, colours, frame);
      if (sums > 0) {
        String words = bar.takenWords() + " of " + UnitText.of(bar.total(), BYTES);
        svg.write("text", words, "class", "s", "x", left + width + 8, "y", y + BAR / 2 + 4);
      }
      y += ROW;
      svg.newLine();
    }
    return frame.end();
  }

  private String summary() {
    return bars.stream()
        .limit(20)
        .map(
            bar ->
                bar.label()
                    + " "
                    + UnitText.of(bar.total(), BYTES)
                    + bar.parts().stream()
                        .map(part -> ", " + words(part))
                        .collect(Collectors.joining())
                    + ", free "
                    + (bar.isKnown()
                        ? UnitText.of(Math.max(0, bar.total() - bar.taken()), BYTES)
                        : "unknown"))
        .collect(Collectors.joining("; "));
  }

  private static String words(MemoryPart part) {
    return (part.label() + " " + UnitText.of(part.bytes(), BYTES) + " " + part.kind().words())
        .strip();
  }

  private static void parts(
      MarkupWriter svg,
      Bar bar,
      double left,
      double y,
      double width,
      Map<String, Integer> colours,
      DrawingFrame frame) {
    rect(svg, "r f", null, left, y, width);
    double x = left;
    double scale = width / Math.max(bar.total(), bar.taken());
    for (MemoryPart part : bar.parts()) {
      double wide = part.bytes() * scale;
      boolean foreign = part.kind() == MemoryPart.Kind.FOREIGN || part.label().isEmpty();
      int colour =
          foreign
              ? -1
              : Math.floorMod(
                  colours.computeIfAbsent(
                      part.label(), label -> KeyLegend.number(label, colours.size())),
                  DrawingStyle.COLOURS);
      svg.open("g").write("title", words(part));
      rect(svg, foreign ? "r n" : "r c" + colour, null, x, y, wide);
      if (part.kind() != MemoryPart.Kind.USED) {
        boolean unknown = part.kind() == MemoryPart.Kind.UNKNOWN;
        rect(svg, null, unknown ? frame.hatch() : frame.overlay(), x, y, wide);
      }
      String label = TextWidth.cut(part.label(), wide - 10);
      if (label.length() > 2) {
        svg.write(
            "text",
            label,
            "class",
            foreign ? "s in" : "s i" + colour,
            "x",
            x + 5,
            "y",
            y + BAR / 2 + 4);
      }
      svg.close();
      x += wide;
    }
  }

  private static void rect(
      MarkupWriter svg, String classes, String fill, double x, double y, double width) {
    svg.add("rect", "class", classes, "fill", fill, "x", x, "y", y, "width", width, "height", BAR);
  }
}
