package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValueAxisTest {
  private static final double GIBI = 1L << 30;

  private static List<String> labels(String unit, double least, double greatest) {
    return ValueAxis.of(unit, least, greatest, 4).ticks().stream()
        .map(tick -> UnitText.of(tick, unit))
        .toList();
  }

  @Test
  void ticks_are_round_in_the_unit() {
    assertEquals(List.of("0 %", "50 %", "100 %"), labels("ratio", 0.1, 0.3));
    assertEquals(List.of("0 B", "50 GiB", "100 GiB", "150 GiB"), labels("bytes", GIBI, 140 * GIBI));
    assertEquals(List.of("0 W", "200 W", "400 W", "600 W", "800 W"), labels("watts", 71, 688));
    assertEquals(List.of("0", "1"), labels("tasks", 0, 1));
    assertEquals(List.of("-0.5", "0", "0.5", "1", "1.5"), labels("", -0.4, 1.2));
  }

  @Test
  void nothing_known_has_an_axis_all_the_same() {
    assertEquals(List.of("0 W", "0.5 W", "1 W"), labels("watts", Double.NaN, Double.NaN));
    assertEquals(List.of("0 W", "0.5 W", "1 W"), labels("watts", 0, 0));
  }

  @Test
  void an_axis_is_not_finer_than_anybody_wants() {
    assertEquals(List.of("0 cores", "0.05 cores", "0.1 cores"), labels("cores", 0, 0.0012));
    assertEquals(List.of("0 B", "512 KiB", "1 MiB"), labels("bytes", 0, 1000));
    assertEquals(List.of("0 B/s", "512 B/s", "1 KiB/s"), labels("bytes/s", 0, 12));
  }

  @Test
  void values_are_written_with_three_digits_and_their_unit() {
    assertEquals("31.2 GiB", UnitText.of(31.2 * GIBI, "bytes"));
    assertEquals("0.0312", UnitText.of(0.03124, ""));
    assertEquals("12.3 k", UnitText.of(12_345, "tasks"));
    assertEquals("1234 cores", UnitText.of(1234, "cores"));
    assertEquals("61 °C", UnitText.of(61, "celsius"));
    assertEquals("1.0e-06", UnitText.of(0.000001, ""));
    assertEquals("unknown", UnitText.of(Double.NaN, "watts"));
  }
}
