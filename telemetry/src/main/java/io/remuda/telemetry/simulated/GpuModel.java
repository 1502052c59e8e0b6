package io.remuda.telemetry.simulated;

import java.util.Objects;

/**
 * What is fixed about one GPU product, as its data sheet tells.
 *
 * @param key short name used in specifications, such as {@code h200}
 * @param name name as the driver reports it
 * @param memoryBytes device memory in bytes
 * @param powerLimitMw default power limit in milliwatts
 * @param clockSmMhz highest clock of the multiprocessors in MHz
 * @param clockMemMhz clock of the memory in MHz
 * @param cooling how the board is cooled
 */
public record GpuModel(
    String key,
    String name,
    long memoryBytes,
    int powerLimitMw,
    int clockSmMhz,
    int clockMemMhz,
    Cooling cooling) {
  /** How a board is cooled; only a fan of its own has a speed to report. */
  public enum Cooling {
    FAN,
    PASSIVE
  }

  public GpuModel {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cooling, "cooling");
    if (memoryBytes <= 0) {
      throw new IllegalArgumentException("memoryBytes must be above 0 but is " + memoryBytes);
    }
    if (powerLimitMw <= 0) {
      throw new IllegalArgumentException("powerLimitMw must be above 0 but is " + powerLimitMw);
    }
  }
}
