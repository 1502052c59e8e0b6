package io.remuda.telemetry.model;

/** Who made a device, and so which library describes it. */
public enum DeviceVendor {
  NVIDIA,
  AMD,
  SIMULATED
}
