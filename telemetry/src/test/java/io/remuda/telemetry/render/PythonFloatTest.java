package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonFloatTest {
  /** The right column was printed by CPython. */
  @ParameterizedTest(name = "{0} reads {1}")
  @CsvSource({
    "0, 0.0",
    "-0.0, -0.0",
    "0.5, 0.5",
    "0.17, 0.17",
    "29.7, 29.7",
    "99.1, 99.1",
    "100, 100.0",
    "-12.34, -12.34",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "0.000012345, 1.2345e-05",
    "1e15, 1000000000000000.0",
    "1e16, 1e+16",
    "123456789012345680, 1.2345678901234568e+17",
    "9007199254740993, 9007199254740992.0",
    "0.1, 0.1",
    "0.30000000000000004, 0.30000000000000004",
    "2e-3, 0.002",
    "2.0E-3, 0.002",
    "1.0E23, 1e+23",
    "2.2250738585072014E-308, 2.2250738585072014e-308",
    "4.9E-324, 5e-324",
    "1.7976931348623157E308, 1.7976931348623157e+308",
    "5.684341886080802E-14, 5.684341886080802e-14",
    "2.2E-322, 2.2e-322",
    "8.41E21, 8.41e+21",
    "2.0E-323, 2e-323",
    "9.5367431640625E-7, 9.5367431640625e-07",
    "NaN, nan",
    "Infinity, inf",
    "-Infinity, -inf",
  })
  void a_number_is_printed_as_python_does(double value, String text) {
    assertEquals(text, PythonFloat.repr(value));
  }
}
