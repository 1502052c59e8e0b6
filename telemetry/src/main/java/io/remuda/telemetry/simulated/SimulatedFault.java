package io.remuda.telemetry.simulated;

import io.remuda.telemetry.model.DeviceHealth;
import java.util.Objects;

/**
 * A temporary fault of one device.
 *
 * @param index the device, from 0
 * @param health the health reported; LOST and STALE samples have no readings
 * @param fromTick first affected sample, counted from 0
 * @param toTick first sample after the fault; {@link Long#MAX_VALUE} for a permanent fault
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
