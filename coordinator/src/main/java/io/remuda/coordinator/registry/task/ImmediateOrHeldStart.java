package io.remuda.coordinator.registry.task;

/** When a job may start. */
public enum ImmediateOrHeldStart {
  /** As soon as there is capacity. */
  AT_ONCE,
  /** After its user releases it. */
  ON_HOLD
}
