package io.remuda.telemetry.model;

import java.util.Objects;

/**
 * Where a MIG instance is.
 *
 * @param gpu the whole device that it is a part of
 * @param slot among the instances of that device, from 0
 */
public record MigSlot(DeviceId gpu, int slot) {
  public MigSlot {
    Objects.requireNonNull(gpu, "gpu");
    if (slot < 0) {
      throw new IllegalArgumentException("slot must be 0 or more but is " + slot);
    }
  }
}
