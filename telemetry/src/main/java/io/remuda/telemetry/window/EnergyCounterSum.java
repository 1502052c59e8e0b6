package io.remuda.telemetry.window;

/** Sums energy from a counter that restarts at 0 when the driver is reloaded. For one thread. */
public final class EnergyCounterSum {
  private Long previous;
  private long sum;

  /** Adds the next counter reading in millijoules; null means not available. */
  public void add(Long energyMj) {
    if (energyMj == null) {
      return;
    }
    if (previous != null) {
      sum += energyMj >= previous ? energyMj - previous : energyMj;
    }
    previous = energyMj;
  }

  /** Returns the millijoules since the first reading; null before it. */
  public Long sum() {
    return previous == null ? null : sum;
  }
}
