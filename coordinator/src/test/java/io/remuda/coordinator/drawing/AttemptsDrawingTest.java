package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.drawing.AttemptSpan.Kind;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsDrawingTest {
  private static final DrawingOptions PAGE =
      new DrawingOptions(600, DrawingTheme.PAGE, ZoneId.of("UTC"));

  private static SvgDocument read(int more, AttemptRow... rows) {
    return SvgDocument.of(
        new AttemptsDrawing("Job 12, train", 0, 1000, List.of(rows), more).svg(PAGE));
  }

  @Test
  void each_attempt_has_its_node_and_the_sign_of_its_end() {
    SvgDocument svg =
        read(
            0,
            new AttemptRow(
                "12.0",
                List.of(
                    new AttemptSpan(0, 200L, Kind.WAITED, "its turn", "waited 200 s"),
                    new AttemptSpan(200, 500L, Kind.AGAIN, "gpu1", "try 1 on gpu1: agent lost"),
                    new AttemptSpan(500, 900L, Kind.FAILED, "gpu2", "try 2 on gpu2: exit 1"))));
    assertTrue(
        svg.texts("text").containsAll(List.of("12.0", "gpu1", "gpu2", "tried again", "failed")),
        svg.texts("text")::toString);
    assertTrue(
        svg.texts("title")
            .containsAll(
                List.of("waited 200 s", "try 1 on gpu1: agent lost", "try 2 on gpu2: exit 1")),
        svg.texts("title")::toString);
    assertEquals(
        List.of("y late", "y bad", "y bad", "y late"), svg.ofClass("y", "class"), "and the legend");
    assertTrue(
        svg.root("aria-label").endsWith(": 1 task; 1 waited, 1 failed, 1 tried again"),
        svg.root("aria-label"));
  }

  @Test
  void what_has_not_ended_lasts_until_the_end_of_the_drawing() {
    SvgDocument svg =
        read(0, new AttemptRow("1.0", List.of(new AttemptSpan(500, null, Kind.RUNS, "n", "runs"))));
    double x = Double.parseDouble(svg.ofClass("r", "x").get(0));
    double width = Double.parseDouble(svg.ofClass("r", "width").get(0));
    assertEquals(580, x + width, 0.2);
  }

  @Test
  void a_node_has_the_same_colour_in_all_rows_and_many_nodes_come_round() {
    List<AttemptRow> rows = new ArrayList<>();
    for (int task = 0; task < 10; task++) {
      String node = "node" + task % 9;
      rows.add(
          new AttemptRow(
              "1." + task, List.of(new AttemptSpan(0, 900L, Kind.SUCCEEDED, node, "ran"))));
    }
    List<String> colours = read(0, rows.toArray(new AttemptRow[0])).ofClass("r", "class");
    assertEquals(colours.get(0), colours.get(8), "nine nodes, eight colours");
    assertEquals(colours.get(0), colours.get(9), "the same node");
    assertEquals(8, colours.stream().distinct().count());
  }

  @Test
  void the_first_node_has_the_colour_of_the_job() {
    List<AttemptSpan> spans = List.of(new AttemptSpan(0, 900L, Kind.SUCCEEDED, "n", "ran"));
    assertEquals(List.of("r c4"), read(0, new AttemptRow("12.0", spans)).ofClass("r", "class"));
  }

  @Test
  void tasks_that_are_left_out_are_counted() {
    assertTrue(read(3).texts("text").contains("and 3 more tasks"));
    assertTrue(read(0).texts("text").contains("no task has started"));
  }

  @Test
  void names_with_markup_stay_text() {
    String bad = "<script>\"'&\u001b";
    SvgDocument svg =
        read(0, new AttemptRow(bad, List.of(new AttemptSpan(0, 999L, Kind.LOST, bad, bad))));
    assertEquals(List.of(), svg.all("script"));
    assertTrue(svg.texts("title").contains("<script>\"'&\\u001b"), svg.texts("title")::toString);
  }
}
