package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tasks of a job on a time line: when they waited and why, where each attempt ran and how it
 * ended. A node has a colour, the first one that of the job, and its name, an end a sign.
 *
 * @param title heading
 * @param from first second since 1970
 * @param to later; what has not ended lasts until then
 * @param more tasks that are left out
 */
public record AttemptsDrawing(String title, long from, long to, List<AttemptRow> rows, int more) {

  private static final double ROW = 26;
  private static final double BAR = 18;
  private static final double RIGHT = 20;
  private static final double LEAST = 1.5;
  private static final double LEGEND = 22;

  public AttemptsDrawing {
    rows = List.copyOf(rows);
  }

  /** Returns the drawing as SVG. */
  public String svg(DrawingOptions options) {
    double most = options.isSmall() ? 70 : 130;
    double names = rows.stream().mapToDouble(row -> TextWidth.of(row.label())).max().orElse(0);
    double left = Math.max(TimeAxis.left(options), Math.min(most, names) + 12);
    TimeAxis time = new TimeAxis(from, to, left, options.width() - RIGHT, options.zone());
    DrawingFrame frame = new DrawingFrame(title, summary(time), options, time);
    SignLegend legend = SignLegend.of(kinds(), options.width());
    double below = DrawingFrame.TIME_AXIS + legend.height() + (more > 0 ? LEGEND : 0);
    double height = Math.max(1, rows.size()) * ROW;
    MarkupWriter svg = frame.begin(height + below);
    frame.timeLines(frame.top(), height);
    Map<String, Integer> colours = new LinkedHashMap<>();
    double y = frame.top();
    for (AttemptRow row : rows) {
      String label = TextWidth.cut(row.label(), most);
      svg.write("text", label, "class", "e", "x", left - 8, "y", y + ROW / 2 + 4);
      for (AttemptSpan span : row.spans()) {
        draw(svg, span, time, y + (ROW - BAR) / 2, colours, frame);
      }
      for (AttemptSpan span : row.spans()) {
        if (span.from() <= to && span.end(to) >= from && !span.kind().sign().isEmpty()) {
          double x = Math.max(time.x(span.end(to)), time.x(span.from()) + LEAST) + 9;
          svg.add("circle", "class", "bg", "cx", x, "cy", y + ROW / 2, "r", 8);
          sign(svg, span.kind(), x, y + ROW / 2);
        }
      }
      y += ROW;
      svg.newLine();
    }
    if (rows.isEmpty()) {
      svg.write("text", "no task has started", "class", "s", "x", left, "y", y + 16);
      y += ROW;
    }
    frame.timeAxis(y);
    y += DrawingFrame.TIME_AXIS;
    legend.draw(svg, y, frame);
    if (more > 0) {
      String words = "and " + more + (more == 1 ? " more task" : " more tasks");
      svg.write("text", words, "class", "s", "x", 8, "y", y + legend.height() + 12);
    }
    return frame.end();
  }

  /** Returns the colour of the first node: that of the job, as other drawings have it. */
  private int firstColour() {
    String job = rows.get(0).label().replaceFirst("\\..*", "");
    return KeyLegend.number("job " + job, 0);
  }

  private Set<AttemptSpan.Kind> kinds() {
    Set<AttemptSpan.Kind> kinds = EnumSet.noneOf(AttemptSpan.Kind.class);
    rows.forEach(row -> row.spans().forEach(span -> kinds.add(span.kind())));
    return kinds;
  }

  private String summary(TimeAxis time) {
    List<String> words = new ArrayList<>();
    for (AttemptSpan.Kind kind : kinds()) {
      long count =
          rows.stream()
              .flatMap(row -> row.spans().stream())
              .filter(span -> span.kind() == kind)
              .count();
      words.add(count + " " + kind.words());
    }
    return time.words(from, to)
        + ": "
        + (rows.size() + more)
        + (rows.size() + more == 1 ? " task; " : " tasks; ")
        + String.join(", ", words);
  }

  private void draw(
      MarkupWriter svg,
      AttemptSpan span,
      TimeAxis time,
      double y,
      Map<String, Integer> colours,
      DrawingFrame frame) {
    long end = span.end(to);
    if (end < from || span.from() > to) {
      return;
    }
    double x = time.x(span.from());
    double width = Math.max(LEAST, time.x(end) - x);
    boolean waited = span.kind() == AttemptSpan.Kind.WAITED;
    boolean low = waited && span.place().isEmpty();
    double top = low ? y + BAR / 4 : y;
    double high = low ? BAR / 2 : BAR;
    svg.open("g").write("title", span.words());
    if (waited) {
      rect(svg, "r f", null, x, top, width, high);
      rect(svg, null, frame.hatch(), x, top, width, high);
      label(svg, span.place(), "s", x, y, width);
    } else {
      int colour =
          colours.computeIfAbsent(span.place(), place -> firstColour() + colours.size())
              % DrawingStyle.COLOURS;
      rect(svg, "r c" + colour, null, x, top, width, high);
      if (span.kind() != AttemptSpan.Kind.SUCCEEDED && span.kind() != AttemptSpan.Kind.RUNS) {
        rect(svg, null, frame.overlay(), x, top, width, high);
      }
      label(svg, span.place(), "t i" + colour, x, y, width);
    }
    svg.close();
  }

  private static void label(
      MarkupWriter svg, String words, String classes, double x, double y, double width) {
    String label = TextWidth.cut(words, width - 12);
    if (label.length() > 2) {
      svg.write("text", label, "class", classes, "x", x + 6, "y", y + BAR / 2 + 4);
    }
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
        "rect", "class", classes, "fill", fill, "x", x, "y", y, "width", width, "height", height,
        "rx", 2);
  }

  static void sign(MarkupWriter svg, AttemptSpan.Kind kind, double x, double y) {
    if (!kind.sign().isEmpty()) {
      String place = "translate(" + MarkupWriter.number(x) + " " + MarkupWriter.number(y) + ")";
      svg.add("path", "class", kind.signClass(), "d", kind.sign(), "transform", place);
    }
  }

  /** What the signs of attempts mean, in as many lines as they need. */
  private record SignLegend(List<Entry> entries, double height) {

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
}
