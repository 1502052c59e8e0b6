package io.remuda.telemetry.simulated;

import io.remuda.telemetry.model.DeviceHealth;
import java.util.Objects;

/**
 * Something that goes wrong with one device for a while.
 *
 * @param index the device, from 0
 * @param health what is reported; LOST and STALE take the readings away
 * @param fromTick first sample concerned, counted from 0
 * @param toTick first sample that is well again; {@link Long#MAX_VALUE} for never
 */
public record SimulatedFault(int index, DeviceHealth health, long fromTick, long toTick) {
  public SimulatedFault {
    Objects.requireNonNull(health, "health");
    if (fromTick < 0 || toTick <= fromTick) {
      throw new IllegalArgumentException(
          "fromTick must be 0 or more and before toTick but they are " + fromTick + ", " + toTick);
    }
  }

  boolean holds(int device, long tick) {
    return device == index && tick >= fromTick && tick < toTick;
  }
}
