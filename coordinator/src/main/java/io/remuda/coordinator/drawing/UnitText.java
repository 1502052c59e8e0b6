package io.remuda.coordinator.drawing;

import java.util.List;
import java.util.Locale;

/** Values with their units, as people read them. */
public final class UnitText {

  private static final double PERCENT = 100;
  private static final double KIBI = 1024;
  private static final double KILO = 1000;
  private static final List<String> BYTES = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
  private static final List<String> THOUSANDS = List.of("", "k", "M", "G", "T");
  private static final int DIGITS = 3;

  private UnitText() {}

  /**
   * Returns a value with its unit.
   *
   * @param unit as in the history, such as {@code ratio} or {@code bytes}; another is written as it
   *     is, an empty one not at all
   */
  public static String of(double value, String unit) {
    if (Double.isNaN(value)) {
      return "unknown";
    }
    return switch (unit) {
      case "ratio" -> digits(value * PERCENT) + " %";
      case "bytes" -> bytes(value);
      case "bytes/s" -> bytes(value) + "/s";
      case "watts" -> kilo(value) + "W";
      case "celsius" -> digits(value) + " °C";
      case "seconds" -> digits(value) + " s";
      case "tasks", "" -> thousands(value);
      default -> thousands(value) + " " + unit;
    };
  }

  private static String bytes(double value) {
    int power = power(value, KIBI, BYTES.size());
    return digits(value / Math.pow(KIBI, power)) + " " + BYTES.get(power);
  }

  private static String thousands(double value) {
    return kilo(value).stripTrailing();
  }

  /** Returns a number with a space and the prefix of a unit, as in {@code 12 kW}. */
  private static String kilo(double value) {
    int power = Math.abs(value) < 10 * KILO ? 0 : power(value, KILO, THOUSANDS.size());
    return digits(value / Math.pow(KILO, power)) + " " + THOUSANDS.get(power);
  }

  private static int power(double value, double base, int most) {
    int power = 0;
    for (double rest = Math.abs(value); rest >= base && power < most - 1; rest /= base) {
      power++;
    }
    return power;
  }

  /** Returns a number with three digits, or with all of its whole part. */
  static String digits(double value) {
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    int whole = (int) Math.floor(Math.log10(size)) + 1;
    if (whole < -DIGITS) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    String text = String.format(Locale.ROOT, "%." + Math.max(0, DIGITS - whole) + "f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }

  /** Returns by what the values of an axis are multiplied so that steps of 1, 2 and 5 are round. */
  static double scale(String unit, double greatest) {
    return switch (unit) {
      case "ratio" -> 1 / PERCENT;
      case "bytes", "bytes/s" -> Math.pow(KIBI, power(greatest, KIBI, BYTES.size()));
      default -> 1;
    };
  }
}
