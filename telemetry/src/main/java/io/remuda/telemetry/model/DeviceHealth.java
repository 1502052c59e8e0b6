package io.remuda.telemetry.model;

/** The state of a device, derived from the driver's answers. Later constants are worse. */
public enum DeviceHealth {
  /** The driver answered; single readings may still be unsupported. */
  OK,
  /** The driver reported a fault that needs attention, such as a required reset. */
  DEGRADED,
  /** No current readings: the driver did not answer in time or is closed. */
  STALE,
  /** The driver reports that the device is gone. */
  LOST
}
