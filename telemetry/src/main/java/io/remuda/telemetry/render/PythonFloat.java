package io.remuda.telemetry.render;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Prints floating point numbers as Python does. */
public final class PythonFloat {
  private static final int MAX_DIGITS = 17;

  private PythonFloat() {}

  /**
   * Returns the result of Python's {@code repr(float)}: the shortest decimal that parses to this
   * number, the nearest if there are several; with an exponent below 1e-04 and from 1e+16 on.
   * (Before Java 19, {@link Double#toString(double)} is not always shortest.)
   */
  public static String repr(double v) {
    if (Double.isNaN(v)) {
      return "nan";
    }
    if (Double.isInfinite(v)) {
      return v > 0 ? "inf" : "-inf";
    }
    String sign = (Double.doubleToRawLongBits(v) < 0) ? "-" : "";
    double magnitude = Math.abs(v);
    return sign + (magnitude == 0 ? "0.0" : layOut(shortest(magnitude)));
  }

  private static BigDecimal shortest(double v) {
    BigDecimal exact = new BigDecimal(v);
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (nearest.doubleValue() == v) {
        return nearest;
      }
      BigDecimal farther = otherSide(exact, nearest, digits);
      if (farther.doubleValue() == v) {
        return farther;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN));
  }

  /**
   * Rounds to the side opposite to {@code nearest}. Just above a power of two the gap to the next
   * number is twice the gap below, so the nearest decimal may fail to parse back where the one on
   * the other side succeeds.
   */
  private static BigDecimal otherSide(BigDecimal exact, BigDecimal nearest, int digits) {
    RoundingMode mode = nearest.compareTo(exact) < 0 ? RoundingMode.UP : RoundingMode.DOWN;
    return exact.round(new MathContext(digits, mode));
  }

  private static String layOut(BigDecimal shortest) {
    BigDecimal stripped = shortest.stripTrailingZeros();
    String digits = stripped.unscaledValue().toString();
    int exponent = digits.length() - 1 - stripped.scale();
    return exponent < -4 || exponent >= 16
        ? scientific(digits, exponent)
        : positional(digits, exponent);
  }

  private static String scientific(String digits, int exponent) {
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    String size = Integer.toString(Math.abs(exponent));
    return mantissa + (exponent < 0 ? "e-" : "e+") + (size.length() == 1 ? "0" : "") + size;
  }

  private static String positional(String digits, int exponent) {
    if (exponent < 0) {
      return "0." + "0".repeat(-exponent - 1) + digits;
    }
    int whole = exponent + 1;
    return digits.length() <= whole
        ? digits + "0".repeat(whole - digits.length()) + ".0"
        : digits.substring(0, whole) + "." + digits.substring(whole);
  }
}
