package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.drawing.MemoryPart.Kind;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryDrawingTest {
  private static final long GIBI = 1L << 30;

  private static SvgDocument read(long total, MemoryPart... parts) {
    return SvgDocument.of(
        new MemoryDrawing("Memory", List.of(new MemoryDrawing.Bar("gpu1:0", total, List.of(parts))))
            .svg(new DrawingOptions(600, DrawingTheme.LIGHT, ZoneId.of("UTC"))));
  }

  @Test
  void parts_are_as_wide_as_they_are_large() {
    SvgDocument svg =
        read(
            100 * GIBI,
            new MemoryPart("job 1", 50 * GIBI, Kind.USED),
            new MemoryPart("job 1", 25 * GIBI, Kind.LENT),
            new MemoryPart("others", 10 * GIBI, Kind.FOREIGN));
    List<Double> widths = svg.ofClass("r", "width").stream().map(Double::valueOf).toList();
    assertEquals(0.5, widths.get(1) / widths.get(0), 0.001);
    assertEquals(0.25, widths.get(2) / widths.get(0), 0.001);
    assertEquals(0.1, widths.get(3) / widths.get(0), 0.001);
    assertTrue(svg.texts("text").contains("85 GiB of 100 GiB"), svg.texts("text")::toString);
    assertTrue(
        svg.root("aria-label")
            .endsWith(
                "gpu1:0 100 GiB, job 1 50 GiB used, job 1 25 GiB lent, not used,"
                    + " others 10 GiB of others, free 15 GiB"),
        svg.root("aria-label"));
  }

  @Test
  void readings_of_different_times_that_are_too_much_together_stay_inside() {
    SvgDocument svg =
        read(
            10 * GIBI,
            new MemoryPart("job 1", 10 * GIBI, Kind.USED),
            new MemoryPart("others", 10 * GIBI, Kind.FOREIGN));
    List<Double> widths = svg.ofClass("r", "width").stream().map(Double::valueOf).toList();
    assertEquals(widths.get(0), widths.get(1) + widths.get(2), 0.2);
  }
}
