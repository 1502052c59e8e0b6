package io.remuda.coordinator.schedule.gpus;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The speed of a training by its number of GPUs, in epochs per second: measured where it is known,
 * else estimated.
 */
public final class SpeedCurve {

  /** Exponent of the speed where nothing is measured: a little less than proportional. */
  private static final double EXPONENT = 0.9;

  /** Without this gain at the largest number that was measured, more GPUs are not believed in. */
  private static final double LEAST_GAIN = 1.05;

  private final NavigableMap<Integer, Double> measured;

  /**
   * @param measured epochs per second, above 0, by number of GPUs, at least 1
   */
  public SpeedCurve(Map<Integer, Double> measured) {
    this.measured = new TreeMap<>(measured);
  }

  /** Returns whether the speed with this number of GPUs is measured. */
  boolean isMeasured(int gpus) {
    return measured.containsKey(gpus);
  }

  /**
   * Returns the speed; without any measurement, 1 is the speed with one GPU. Between two numbers
   * that are measured the speed is a power of the number of GPUs.
   */
  double speed(int gpus) {
    if (measured.isEmpty()) {
      return Math.pow(gpus, EXPONENT);
    }
    Map.Entry<Integer, Double> below = measured.floorEntry(gpus);
    Map.Entry<Integer, Double> above = measured.ceilingEntry(gpus);
    if (below == null) {
      return scaled(above, gpus);
    }
    if (above == null) {
      return grows(below) ? scaled(below, gpus) : below.getValue();
    }
    if (below.getKey().equals(above.getKey())) {
      return below.getValue();
    }
    double exponent =
        Math.log(above.getValue() / below.getValue())
            / Math.log((double) above.getKey() / below.getKey());
    return below.getValue() * Math.pow((double) gpus / below.getKey(), exponent);
  }

  private static double scaled(Map.Entry<Integer, Double> known, int gpus) {
    return known.getValue() * Math.pow((double) gpus / known.getKey(), EXPONENT);
  }

  private boolean grows(Map.Entry<Integer, Double> last) {
    Map.Entry<Integer, Double> before = measured.lowerEntry(last.getKey());
    return before == null || last.getValue() > before.getValue() * LEAST_GAIN;
  }
}
