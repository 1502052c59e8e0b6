package io.remuda.telemetry.window;

/**
 * Energy over a while, from a counter that starts again at 0 when the driver is reloaded. For one
 * thread.
 */
public final class EnergyMeter {
  private Long previous;
  private long sum;

  /** Takes the next reading of the counter in millijoules; null is not available. */
  public void add(Long energyMj) {
    if (energyMj == null) {
      return;
    }
    if (previous != null) {
      sum += energyMj >= previous ? energyMj - previous : energyMj;
    }
    previous = energyMj;
  }

  /** Millijoules since the first reading; null before the first. */
  public Long sum() {
    return previous == null ? null : sum;
  }
}
