package io.remuda.coordinator.simulate;

/**
 * What a preemption costs a job, in milliseconds.
 *
 * @param saveMillis before it leaves
 * @param restoreMillis after it has started again
 */
public record PreemptionCost(long saveMillis, long restoreMillis) {
  public PreemptionCost {
    if (saveMillis < 0 || restoreMillis < 0) {
      throw new IllegalArgumentException(
          "--save and --restore must be at least 0, got " + saveMillis + " and " + restoreMillis);
    }
  }

  long both() {
    return saveMillis + restoreMillis;
  }
}
