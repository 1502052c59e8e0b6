package io.remuda.worker.job;

/**
 * What one task of a job needs.
 *
 * @param cpus cores, fractions and 0 allowed
 * @param gpus whole devices
 * @param memory of the machine in bytes, 0 if it does not matter; it is counted, not enforced
 */
public record ResourceRequest(double cpus, int gpus, long memory) {

  public ResourceRequest {
    if (!(cpus >= 0) || Double.isInfinite(cpus)) {
      throw new IllegalArgumentException("cpus must be 0 or more, got " + cpus);
    }
    Checks.atLeast("gpus", 0, gpus);
    if (memory < 0) {
      throw new IllegalArgumentException("memory must be 0 or more, got " + memory);
    }
  }

  /** A request to which memory does not matter. */
  public ResourceRequest(double cpus, int gpus) {
    this(cpus, gpus, 0);
  }

  /** The same without devices. */
  public ResourceRequest withoutGpus() {
    return new ResourceRequest(cpus, 0, memory);
  }
}
