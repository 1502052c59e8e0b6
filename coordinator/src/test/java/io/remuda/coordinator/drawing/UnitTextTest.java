package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.output.CurveText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTextTest {

  @ParameterizedTest
  @CsvSource({
    "0.52, ratio, 52 %, 52 %",
    "471859200, bytes, 450 MiB, 450 MiB",
    "33500745728, bytes, 31.2 GiB, 31.2 GiB",
    "402.4, watts, 402 W, 402 W",
    "12500, watts, 12.5 kW, 12.5 kW",
    "61, celsius, 61 °C, 61 C",
    "2.25, cores, 2.25 cores, 2.25",
    "12500, tasks, 12.5 k, 12.5 k",
    "1572864, bytes/s, 1.5 MiB/s, 1.5 MiB/s",
    "NaN, watts, unknown, -",
  })
  void a_value_is_written_alike_in_drawings_and_on_terminals(
      double value, String unit, String drawn, String printed) {
    assertEquals(drawn, UnitText.of(value, unit));
    assertEquals(printed, CurveText.value(value, unit));
  }
}
