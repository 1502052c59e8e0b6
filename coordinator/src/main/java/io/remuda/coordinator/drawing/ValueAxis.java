package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * The values that a curve's height stands for.
 *
 * @param low at the bottom
 * @param high at the top, greater
 * @param ticks values that have a line
 */
record ValueAxis(double low, double high, List<Double> ticks) {

  private static final double[] STEPS = {1, 2, 5, 10};
  private static final double LITTLE = 1e-9;
  private static final double LITTLE_CORES = 0.1;
  private static final double KIBI = 1024;
  private static final double MEBI = KIBI * KIBI;

  /**
   * Returns an axis that begins at 0, unless there are values below.
   *
   * @param least of the values; NaN if there is none
   * @param most ticks besides that at the bottom
   */
  static ValueAxis of(String unit, double least, double greatest, int most) {
    double low = Double.isNaN(least) ? 0 : Math.min(0, least);
    double high = Double.isNaN(greatest) ? 0 : Math.max(0, greatest);
    if (unit.equals("ratio")) {
      high = Math.max(1, high);
    }
    if (high - low < least(unit)) {
      high = low + least(unit);
    }
    if (high - low <= 0) {
      high = 1;
    }
    double scale = UnitText.scale(unit, Math.max(high, -low));
    double step = step((high - low) / scale, most);
    if (unit.equals("tasks")) {
      step = Math.max(1, step); // there are no halves
    }
    long first = (long) Math.floor(low / scale / step + LITTLE);
    long last = (long) Math.ceil(high / scale / step - LITTLE);
    List<Double> ticks = new ArrayList<>();
    for (long tick = first; tick <= last; tick++) {
      ticks.add(tick * step * scale);
    }
    return new ValueAxis(ticks.get(0), ticks.get(ticks.size() - 1), ticks);
  }

  /** Returns what an axis reaches over at the least. */
  private static double least(String unit) {
    return switch (unit) {
      case "cores" -> LITTLE_CORES;
      case "bytes" -> MEBI;
      case "bytes/s" -> KIBI;
      default -> 0;
    };
  }

  private static double step(double span, int most) {
    double power = Math.pow(10, Math.floor(Math.log10(span / most)));
    for (double step : STEPS) {
      if (step * power * most >= span * (1 - LITTLE)) {
        return step * power;
      }
    }
    return STEPS[STEPS.length - 1] * power;
  }

  /** Returns how high a value stands, from 0 at the bottom to 1 at the top. */
  double height(double value) {
    return (value - low) / (high - low);
  }
}
