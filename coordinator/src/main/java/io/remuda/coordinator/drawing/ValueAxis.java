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
