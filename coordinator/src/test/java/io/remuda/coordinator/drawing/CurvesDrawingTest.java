package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CurvesDrawingTest {
  private static final double NONE = Double.NaN;
  private static final DrawingOptions PAGE =
      new DrawingOptions(386, DrawingTheme.PAGE, ZoneId.of("UTC")); // 58 left, 20 right: 308 px

  private static CurvesDrawing drawing(CurveSeries... series) {
    return new CurvesDrawing(
        "GPU gpu1:0", 1000, 1077, List.of(new CurvePanel("utilization", "ratio", List.of(series))));
  }

  private static SvgDocument read(CurvesDrawing drawing, DrawingOptions options) {
    return SvgDocument.of(drawing.svg(options));
  }

  @Test
  void a_curve_is_a_line_from_point_to_point() {
    SvgDocument svg = read(drawing(CurveSeries.of("one", 1000, 11, 0, 0.5, 1, 1)), PAGE);
    assertEquals("M58 120L102 74L146 28L190 28", svg.ofClass("l", "d").get(1), "after the legend");
  }

  @Test
  void the_words_of_an_axis_are_not_cut_off() {
    CurveSeries little = CurveSeries.of("cpu", 1000, 11, -0.00012, 0.1);
    SvgDocument svg =
        read(
            new CurvesDrawing(
                "a", 1000, 1077, List.of(new CurvePanel("cpu", "km/min", List.of(little)))),
            PAGE);
    svg.all("text").stream()
        .filter(one -> one.getAttribute("class").equals("s e"))
        .forEach(
            one ->
                assertTrue(
                    TextWidth.of(one.getTextContent()) <= Double.parseDouble(one.getAttribute("x")),
                    one.getTextContent()));
  }

  @Test
  void a_time_without_a_value_is_a_gap_and_no_zero() {
    SvgDocument svg = read(drawing(CurveSeries.of("one", 1000, 11, 1, NONE, NONE, 0.5, 1)), PAGE);
    assertEquals("M58 28h.1M190 74L234 28", svg.ofClass("l", "d").get(1));
    List<String> gaps =
        svg.all("rect").stream()
            .filter(one -> one.getAttribute("fill").startsWith("url("))
            .map(one -> one.getAttribute("x") + "+" + one.getAttribute("width"))
            .toList();
    assertEquals(List.of("58+132", "234+132"), gaps, "and after the last reading");
    assertTrue(svg.texts("title").contains("no readings"));
  }

  @Test
  void what_a_point_is_the_mean_of_is_a_band() {
    SvgDocument svg =
        read(
            drawing(
                new CurveSeries(
                    "one",
                    1000,
                    11,
                    new double[] {.5, .5, NONE, .5},
                    new double[] {.5, 0, NONE, .5},
                    new double[] {.5, 1, NONE, .5})),
            PAGE);
    assertEquals(List.of("M58 74L102 28L102 120L58 74Z"), svg.ofClass("a", "d"));
  }

  @Test
  void curves_differ_by_dashes_too() {
    SvgDocument svg =
        read(
            drawing(CurveSeries.of("one", 1000, 11, 1, 1), CurveSeries.of("two", 1000, 11, 0, 0)),
            PAGE);
    assertEquals(List.of("l c0", "l c1 d1", "l c0", "l c1 d1"), svg.ofClass("l", "class"));
  }

  @Test
  void a_pixel_has_at_most_one_point_of_a_curve() {
    double[] many = new double[100_000];
    Arrays.setAll(many, at -> at % 2);
    CurvesDrawing drawing =
        new CurvesDrawing(
            "x",
            0,
            100_000,
            List.of(new CurvePanel("x", "ratio", List.of(CurveSeries.of("x", 0, 1, many)))));
    String path = read(drawing, PAGE).ofClass("l", "d").get(1);
    long points = path.chars().filter(one -> one == 'L').count();
    assertTrue(points > 250 && points < 310, () -> points + " points");
    assertTrue(path.contains(" 74"), "the mean of 0 and 1");
    assertFalse(
        read(drawing, PAGE).ofClass("a", "d").isEmpty(), "the range of what was taken together");
  }

  @Test
  void all_of_it_is_said_in_words() {
    SvgDocument svg = read(drawing(CurveSeries.of("utilization", 1000, 11, 0, 0.5, 1)), PAGE);
    assertEquals("img", svg.root("role"));
    assertEquals(
        "GPU gpu1:0. 1 Jan 1970, 00:16:40 to 00:17:57: utilization 0 % to 100 %, mean 50 %",
        svg.root("aria-label"));
    assertEquals("GPU gpu1:0", svg.texts("title").get(0));
    assertEquals(
        "1000 1077 58 366",
        String.join(
            " ",
            svg.root("data-from"),
            svg.root("data-to"),
            svg.root("data-left"),
            svg.root("data-right")));
  }

  @Test
  void nothing_known_is_said() {
    String svg = new CurvesDrawing("Queue", 0, 900, List.of()).svg(PAGE);
    assertTrue(SvgDocument.of(svg).root("aria-label").endsWith("nothing is known"), svg);
    assertTrue(SvgDocument.of(svg).texts("text").contains("no readings"), svg);
  }

  @ParameterizedTest
  @EnumSource(DrawingTheme.class)
  void names_with_markup_stay_text(DrawingTheme theme) {
    String bad = "</text><script>alert(1)</script>\u0007";
    CurvesDrawing drawing =
        new CurvesDrawing(
            bad,
            0,
            900,
            List.of(new CurvePanel(bad, bad, List.of(CurveSeries.of(bad, 0, 10, 1, 2, 3)))));
    for (int width : new int[] {280, 1000}) {
      SvgDocument svg = read(drawing, new DrawingOptions(width, theme, ZoneId.of("Asia/Tokyo")));
      assertEquals(List.of(), svg.all("script"));
      assertEquals("</text><script>alert(1)</script>\\u0007", svg.texts("title").get(0));
      assertEquals(theme == DrawingTheme.PAGE, svg.all("style").isEmpty());
      assertEquals("0 0 " + width, svg.root("viewBox").replaceFirst(" \\d+$", ""));
    }
  }

  @Test
  void the_same_data_are_the_same_text() {
    DrawingOptions options = new DrawingOptions(900, DrawingTheme.AUTO, ZoneId.of("UTC"));
    String once = drawing(CurveSeries.of("one", 1000, 11, 0, 0.5, 1)).svg(options);
    assertEquals(once, drawing(CurveSeries.of("one", 1000, 11, 0, 0.5, 1)).svg(options));
    assertTrue(once.contains("prefers-color-scheme:dark"), once);
  }
}
