package io.remuda.coordinator.simulate;

/** Whether the policy knows how long jobs take. */
public enum KnownDurations {
  /** It does, as if users had stated it. */
  KNOWN,
  /** It sees how long jobs have run, and that they end. */
  UNKNOWN
}
