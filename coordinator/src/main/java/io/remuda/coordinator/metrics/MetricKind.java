package io.remuda.coordinator.metrics;

/** How the values of a metric are to be read. */
public enum MetricKind {
  /** A value that rises and falls. */
  GAUGE,
  /** A sum that only grows, until what counts it begins anew; its name ends in {@code _total}. */
  COUNTER,
  /** Numbers of values up to bounds. */
  HISTOGRAM,
  /** Facts as labels; its value is 1, and its name ends in {@code _info}. */
  INFO,
  /** As {@link #COUNTER}, under a name of others that says nothing of it. */
  UNKNOWN
}
