package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PythonFloatPropertyTest {
  @Property(tries = 5000)
  void the_text_reads_back_as_the_same_number(@ForAll long bits) {
    double value = Double.longBitsToDouble(bits);
    Assume.that(Double.isFinite(value));
    double back = Double.parseDouble(PythonFloat.repr(value));
    assertEquals(Double.doubleToRawLongBits(value), Double.doubleToRawLongBits(back));
  }

  @Property(tries = 5000)
  void no_shorter_text_reads_back_as_the_same_number(@ForAll long bits) {
    double value = Math.abs(Double.longBitsToDouble(bits));
    Assume.that(Double.isFinite(value) && value != 0);
    int digits = new BigDecimal(PythonFloat.repr(value)).stripTrailingZeros().precision();
    Assume.that(digits > 1);
    BigDecimal exact = new BigDecimal(value);
    for (RoundingMode mode : new RoundingMode[] {RoundingMode.DOWN, RoundingMode.UP}) {
      BigDecimal shorter = exact.round(new MathContext(digits - 1, mode));
      assertTrue(shorter.doubleValue() != value, () -> shorter + " is shorter");
    }
  }

  @Property
  void a_load_average_keeps_at_most_its_two_decimals(
      @ForAll @IntRange(max = 999_999) int hundredths) {
    String text = PythonFloat.repr(hundredths / 100.0);
    assertTrue(text.matches("[0-9]+\\.[0-9]{1,2}"), text);
    assertEquals(0, new BigDecimal(text).compareTo(BigDecimal.valueOf(hundredths, 2)));
  }
}
