package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * A temperature of a machine, but not of its GPUs.
 *
 * @param sensor chip and label as the kernel has them, such as {@code coretemp Package id 0}
 * @param celsius degrees
 */
public record TemperatureReading(String sensor, double celsius) {
  public TemperatureReading {
    Objects.requireNonNull(sensor, "sensor");
  }
}
