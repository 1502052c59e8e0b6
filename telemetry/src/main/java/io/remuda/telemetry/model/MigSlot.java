package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * The position of a MIG instance.
 *
 * @param gpu the GPU that contains the instance
 * @param slot number among the instances of that GPU, from 0
 */
public record MigSlot(DeviceId gpu, int slot) {
  public MigSlot {
    Objects.requireNonNull(gpu, "gpu");
    if (slot < 0) {
      throw new IllegalArgumentException("slot must be 0 or more but is " + slot);
    }
  }
}
