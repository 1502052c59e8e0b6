package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.UnitText;
import io.remuda.telemetry.render.BarStyle;
import java.math.BigDecimal;
import java.math.MathContext;

/** Draws a curve in one line of text, and writes its values as people read them. */
public final class CurveText {

  private static final String BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
  private static final String ASCII = "_.-:=+*#";
  private static final int DIGITS = 4;
  private static final double WHOLE = 1e9;

  private CurveText() {}

  /**
   * Draws a curve; a point without a value is a space, and the highest is full.
   *
   * @param means of the points; null is no value
   * @param highest the greatest value of the scale, from 0
   * @param columns width; several points share a column if there are more, by their greatest value
   */
  public static String line(JsonNode means, double highest, int columns, BarStyle style) {
    return line(means, 0, highest, columns, style);
  }

  /** Draws a curve whose least value, which is empty, is another one than 0. */
  public static String line(
      JsonNode means, double lowest, double highest, int columns, BarStyle style) {
    String levels = style.unicode() ? BLOCKS : ASCII;
    int points = means.size();
    int width = Math.min(columns, points);
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < width; column++) {
      int begin = (int) ((long) column * points / width);
      int end = (int) ((long) (column + 1) * points / width);
      double value = Double.NaN;
      for (int point = begin; point < end; point++) {
        JsonNode mean = means.get(point);
        if (mean.isNumber() && !(mean.asDouble() <= value)) {
          value = mean.asDouble();
        }
      }
      line.append(
          Double.isNaN(value) ? ' ' : levels.charAt(level(value - lowest, highest - lowest)));
    }
    return line.toString();
  }

  private static int level(double value, double highest) {
    int most = BLOCKS.length() - 1;
    return highest <= 0 ? 0 : (int) Math.max(0, Math.min(most, Math.round(value / highest * most)));
  }

  /** Returns a number of four digits that count. */
  public static String number(double value) {
    if (value == 0 || value == Math.rint(value) && Math.abs(value) < WHOLE) {
      return Long.toString((long) value);
    }
    return new BigDecimal(value).round(new MathContext(DIGITS)).stripTrailingZeros().toString();
  }

  /**
   * Returns a value as drawings write it, but in ASCII: a hyphen for NaN, and no word for cores.
   */
  public static String value(double value, String unit) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return switch (unit) {
      case "ratio", "bytes", "bytes/s", "watts" -> UnitText.of(value, unit);
      case "celsius" -> UnitText.of(value, "") + " C";
      default -> UnitText.of(value, "");
    };
  }
}
