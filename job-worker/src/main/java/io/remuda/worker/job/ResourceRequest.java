package io.remuda.worker.job;

/**
 * What one task of a job needs.
 *
 * @param cpus cores, fractions and 0 allowed
 * @param gpus whole devices
 */
public record ResourceRequest(double cpus, int gpus) {

  public ResourceRequest {
    if (!(cpus >= 0) || Double.isInfinite(cpus)) {
      throw new IllegalArgumentException("cpus must be 0 or more, got " + cpus);
    }
    Checks.atLeast("gpus", 0, gpus);
  }
}
