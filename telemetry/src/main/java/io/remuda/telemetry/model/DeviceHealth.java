package io.remuda.telemetry.model;

/** What a sample says about the state of a device. */
public enum DeviceHealth {
  /** The driver answered; single readings may still be unsupported. */
  OK,
  /** The driver answered with a fault that asks for attention, such as a required reset. */
  DEGRADED,
  /** Nothing fresh is known: the driver did not answer in time or is closed. */
  STALE,
  /** The driver says that the device is gone. */
  LOST
}
