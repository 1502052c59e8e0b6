package io.remuda.telemetry.model;

/** The manufacturer of a device; it decides which driver interface is read. */
public enum DeviceVendor {
  NVIDIA,
  AMD,
  SIMULATED
}
