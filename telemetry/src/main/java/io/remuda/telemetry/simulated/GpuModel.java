package io.remuda.telemetry.simulated;

import java.util.Objects;

/**
 * The constant properties of a GPU product, from its data sheet.
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
  /** The cooling of a board; passively cooled boards report no fan speed. */
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
