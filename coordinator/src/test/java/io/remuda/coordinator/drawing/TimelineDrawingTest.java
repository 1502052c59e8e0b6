package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.drawing.GpuSpan.Kind;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineDrawingTest {
  private static final DrawingOptions PAGE =
      new DrawingOptions(600, DrawingTheme.PAGE, ZoneId.of("UTC"));

  private static SvgDocument read(List<String> gpus, GpuSpan... spans) {
    return SvgDocument.of(
        new TimelineDrawing("What ran where", 0, 36_000, gpus, List.of(spans)).svg(PAGE));
  }

  private static GpuSpan used(String gpu, long from, long to, String key) {
    return new GpuSpan(gpu, from, to, Kind.USED, key, "job", "job 1 of " + key);
  }

  @Test
  void who_had_most_has_the_first_colour_and_hours_in_the_legend() {
    SvgDocument svg =
        read(
            List.of("n:0", "n:1"),
            used("n:0", 0, 3600, "bob"),
            used("n:0", 3600, 36_000, "ann"),
            used("n:1", 0, 7200, "bob"));
    assertTrue(svg.texts("text").contains("ann · 9 GPU h"), svg.texts("text")::toString);
    assertTrue(svg.texts("text").contains("bob · 3 GPU h"), svg.texts("text")::toString);
    assertEquals(
        List.of("r c0", "r c1", "r c1", "r c0", "r c1"), svg.ofClass("r", "class"), "legend, rows");
    assertTrue(
        svg.root("aria-label").endsWith("2 GPUs; ann 9 GPU hours, bob 3 GPU hours"),
        svg.root("aria-label"));
  }

  @Test
  void a_job_has_the_colour_of_its_number_whoever_else_is_drawn() {
    SvgDocument svg = read(List.of("n:0"), used("n:0", 0, 36_000, "job 12"));
    assertEquals(List.of("r c4", "r c4"), svg.ofClass("r", "class"), "legend, row");
  }

  @Test
  void the_axis_begins_where_that_of_curves_does() {
    SvgDocument rows = read(List.of("n:0"), used("n:0", 0, 36_000, "ann"));
    SvgDocument curves =
        SvgDocument.of(new CurvesDrawing("curves", 0, 36_000, List.of()).svg(PAGE));
    assertEquals(curves.root("data-left"), rows.root("data-left"));
  }

  @Test
  void a_gap_has_its_reason_and_only_one_that_somebody_waited_for_is_hatched() {
    SvgDocument svg =
        read(
            List.of("n:0"),
            new GpuSpan("n:0", 0, 9000L, Kind.UNWANTED, "", "nobody waited", "nobody waited"),
            new GpuSpan("n:0", 9000, 36_000L, Kind.WITHHELD, "", "kept for job 17", "1 h 30 min"));
    assertTrue(svg.texts("text").containsAll(List.of("nobody waited", "kept for job 17")));
    assertEquals(
        1,
        svg.all("rect").stream()
            .filter(one -> one.getAttribute("fill").startsWith("url(#h"))
            .count());
  }

  @Test
  void tasks_that_share_a_gpu_stand_over_each_other_and_others_over_its_whole_height() {
    SvgDocument svg =
        read(
            List.of("n:0"),
            used("n:0", 0, 9000, "a"),
            used("n:0", 4500, 18_000, "b"),
            used("n:0", 18_000, 36_000, "c"));
    List<String> heights = svg.ofClass("r", "height");
    assertEquals(heights.get(3), heights.get(4), "after three of the legend");
    assertEquals(2 * Double.parseDouble(heights.get(3)), Double.parseDouble(heights.get(5)), 0.2);
  }

  @Test
  void many_short_ones_are_taken_together_by_pixel() {
    List<GpuSpan> spans = new ArrayList<>();
    for (int at = 0; at < 36_000; at++) {
      spans.add(used("n:0", at, at + 1, "u" + at % 50));
    }
    SvgDocument svg = read(List.of("n:0"), spans.toArray(new GpuSpan[0]));
    assertTrue(svg.all("rect").size() < 700, () -> svg.all("rect").size() + " rectangles");
  }

  @Test
  void rows_are_bounded_and_the_rest_is_counted() {
    List<String> gpus = IntStream.range(0, 600).mapToObj(one -> "n:" + one).toList();
    SvgDocument svg = read(gpus, used("n:0", 0, 10, "a"));
    assertTrue(svg.texts("text").contains("and 88 more GPUs"));
    assertFalse(svg.texts("text").contains("n:599"));
  }

  @Test
  void names_with_markup_stay_text() {
    String bad = "<script>\"'&\u001b";
    SvgDocument svg = read(List.of(bad), new GpuSpan(bad, 0, null, Kind.USED, bad, bad, bad));
    assertEquals(List.of(), svg.all("script"));
    assertTrue(svg.texts("text").contains("<script>\"'&\\u001b"), svg.texts("text")::toString);
  }

  @Test
  void nothing_known_is_said() {
    assertTrue(read(List.of()).texts("text").contains("nothing is known of this time"));
  }
}
