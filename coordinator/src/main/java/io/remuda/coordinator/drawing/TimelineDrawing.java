package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What ran where: a row for each GPU, coloured by job, user or type. A time in which nothing ran is
 * hatched, with its reason; one that nobody knows of is empty.
 *
 * @param title heading
 * @param from first second since 1970
 * @param to later; what has not ended lasts until then
 * @param gpus names of the rows, in order; those beyond {@value #MOST} are counted
 * @param spans of these GPUs
 */
public record TimelineDrawing(
    String title, long from, long to, List<String> gpus, List<GpuSpan> spans) {

  /** Rows at most. */
  static final int MOST = 512;

  private static final int TALL_ROWS = 24;
  private static final int MIDDLE_ROWS = 96;
  private static final double TALL = 24;
  private static final double MIDDLE = 14;
  private static final double LOW = 6;
  private static final double RIGHT = 20;
  private static final double LABELLED = 12;
  private static final double HOUR = 3600;

  public TimelineDrawing {
    gpus = List.copyOf(gpus);
    spans = List.copyOf(spans);
  }

  /** Returns the drawing as SVG. */
  public String svg(DrawingOptions options) {
    List<String> shown = gpus.subList(0, Math.min(MOST, gpus.size()));
    double row = shown.size() <= TALL_ROWS ? TALL : shown.size() <= MIDDLE_ROWS ? MIDDLE : LOW;
    double most = options.isSmall() ? 76 : 150;
    double names = shown.stream().mapToDouble(TextWidth::of).max().orElse(0);
    double left = Math.max(TimeAxis.left(options), Math.min(most, names) + 12);
    TimeAxis time = new TimeAxis(from, to, left, options.width() - RIGHT, options.zone());
    KeyLegend legend = KeyLegend.of(hours(), options.width());
    DrawingFrame frame = new DrawingFrame(title, summary(time), options, time);
    double height = Math.max(TALL, shown.size() * row);
    MarkupWriter svg = frame.begin(legend.height() + height + DrawingFrame.TIME_AXIS + 4);
    legend.draw(svg, frame.top(), frame);
    double top = frame.top() + legend.height();
    frame.timeLines(top, height);
    Map<String, List<GpuSpan>> byGpu = spans.stream().collect(Collectors.groupingBy(GpuSpan::gpu));
    double y = top;
    for (int index = 0; index < shown.size(); index++) {
      String gpu = shown.get(index);
      if (row >= LABELLED || index % 4 == 0) {
        String label = TextWidth.cut(gpu, most);
        svg.write("text", label, "class", "s e", "x", left - 8, "y", y + row / 2 + 4);
      }
      row(svg, byGpu.getOrDefault(gpu, List.of()), y, row, new Context(time, legend, frame));
      y += row;
      svg.newLine();
    }
    if (shown.isEmpty()) {
      svg.write("text", "nothing is known of this time", "class", "s", "x", left, "y", y + 16);
    }
    if (gpus.size() > shown.size()) {
      String words = "and " + (gpus.size() - shown.size()) + " more GPUs";
      svg.write("text", words, "class", "s", "x", 8, "y", top + height + 34);
    }
    frame.timeAxis(top + height);
    return frame.end();
  }

  private record Context(TimeAxis time, KeyLegend legend, DrawingFrame frame) {}

  /** Returns the hours of each key, the most first. */
  private Map<String, Double> hours() {
    Map<String, Double> sums = new TreeMap<>();
    for (GpuSpan span : spans) {
      if (span.isUsed()) {
        sums.merge(span.key(), hours(span), Double::sum);
      }
    }
    Map<String, Double> sorted = new LinkedHashMap<>();
    sums.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .forEach(sum -> sorted.put(sum.getKey(), sum.getValue()));
    return sorted;
  }

  private double hours(GpuSpan span) {
    return Math.max(0, span.end(to) - Math.max(from, span.from())) / HOUR;
  }

  private String summary(TimeAxis time) {
    String most =
        hours().entrySet().stream()
            .limit(10)
            .map(one -> one.getKey() + " " + UnitText.digits(one.getValue()) + " GPU hours")
            .collect(Collectors.joining(", "));
    return time.words(from, to)
        + ": "
        + gpus.size()
        + (gpus.size() == 1 ? " GPU; " : " GPUs; ")
        + (most.isEmpty() ? "nothing ran" : most);
  }

  private void row(MarkupWriter svg, List<GpuSpan> all, double y, double row, Context context) {
    List<GpuSpan> inside =
        all.stream().filter(span -> span.end(to) > from && span.from() < to).toList();
    double space = row >= LABELLED ? 3 : 1;
    for (GpuLanes.Placed one : merged(GpuLanes.of(inside, to), context.time())) {
      double high = (row - space) / one.lanes();
      draw(svg, one.span(), y + space / 2 + one.lane() * high, high, context);
    }
  }

  /** Takes spans together that lie in one column of pixels, so that their number is bounded. */
  private List<GpuLanes.Placed> merged(List<GpuLanes.Placed> spans, TimeAxis time) {
    List<GpuLanes.Placed> kept = new ArrayList<>();
    for (GpuLanes.Placed placed : spans) {
      GpuLanes.Placed last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
      boolean narrow =
          last != null && time.x(placed.span().end(to)) - time.x(last.span().from()) < 1;
      if (narrow) {
        kept.set(kept.size() - 1, new GpuLanes.Placed(both(last.span(), placed.span()), 0, 1));
      } else {
        kept.add(placed);
      }
    }
    return kept;
  }

  private GpuSpan both(GpuSpan first, GpuSpan second) {
    boolean same = first.kind() == second.kind() && first.key().equals(second.key());
    return new GpuSpan(
        first.gpu(),
        first.from(),
        Math.max(first.end(to), second.end(to)),
        first.isUsed() ? first.kind() : second.kind(),
        same ? first.key() : KeyLegend.OTHERS,
        "",
        "several short ones");
  }

  private void draw(MarkupWriter svg, GpuSpan span, double y, double height, Context context) {
    double x = context.time().x(span.from());
    double space = context.time().x(span.end(to)) - x;
    double width = space > 4 ? space - 1 : Math.max(1, space);
    int colour = span.isUsed() ? context.legend().colour(span.key()) : -1;
    String classes = !span.isUsed() ? "r f" : colour < 0 ? "r n" : "r c" + colour;
    svg.open("g").write("title", span.words());
    rect(svg, classes, null, x, y, width, height);
    if (span.kind() == GpuSpan.Kind.WITHHELD) {
      rect(svg, null, context.frame().hatch(), x, y, width, height);
    } else if (span.isUsed() && context.legend().isHatched(span.key())) {
      rect(svg, null, context.frame().overlay(), x, y, width, height);
    }
    String label = TextWidth.cut(span.label(), width - 10);
    if (height >= 10 && (label.equals(span.label()) || label.length() > 3)) {
      String ink = !span.isUsed() ? "s" : colour < 0 ? "s in" : "s i" + colour;
      svg.write("text", label, "class", ink, "x", x + 5, "y", y + height / 2 + 4);
    }
    svg.close();
  }

  private static void rect(
      MarkupWriter svg,
      String classes,
      String fill,
      double x,
      double y,
      double width,
      double height) {
    svg.add(
        "rect", "class", classes, "fill", fill, "x", x, "y", y, "width", width, "height", height);
  }
}
