package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one task of a job needs.
 *
 * @param cpus cores, fractions and 0 allowed; counted in thousandths
 * @param gpus devices, all on one node
 * @param memory of the machine in bytes, 0 if it does not matter; it is counted, not enforced
 * @param gpuMemory bytes of each of the devices, which others may share then; 0 for whole devices,
 *     {@link #AUTO} for what tasks of its type were measured to need
 * @param gpuModel part of the model's name, in any case, or null for any
 * @param labels that the node must have
 */
public record ResourceRequest(
    double cpus,
    int gpus,
    long memory,
    long gpuMemory,
    String gpuModel,
    Map<String, String> labels) {

  /** As much of each device as its type needs; whole devices as long as that is not known. */
  public static final long AUTO = -1;

  private static final int THOUSANDTHS = 1000;

  public ResourceRequest {
    labels = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    if (!(cpus >= 0) || Double.isInfinite(cpus)) {
      throw new IllegalArgumentException("cpus must be 0 or more, got " + cpus);
    }
    Checks.atLeast("gpus", 0, gpus);
    Checks.notNegative("memory", memory);
    if (gpuMemory != AUTO) {
      Checks.notNegative("gpuMemory", gpuMemory);
    }
    if (gpus == 0 && (gpuMemory != 0 || gpuModel != null)) {
      throw new IllegalArgumentException("gpuMemory and gpuModel want gpus of at least 1");
    }
  }

  /** A request for whole devices of any model on any node. */
  public ResourceRequest(double cpus, int gpus, long memory) {
    this(cpus, gpus, memory, 0, null, Map.of());
  }

  /** A request to which memory does not matter. */
  public ResourceRequest(double cpus, int gpus) {
    this(cpus, gpus, 0);
  }

  /** The same without devices. */
  public ResourceRequest withoutGpus() {
    return new ResourceRequest(cpus, 0, memory, 0, null, labels);
  }

  /** The same with another amount of each device. */
  public ResourceRequest withGpuMemory(long bytes) {
    return new ResourceRequest(cpus, gpus, memory, bytes, gpuModel, labels);
  }

  /** Whether its type decides how much of each device it needs. */
  @JsonIgnore
  public boolean isAuto() {
    return gpuMemory == AUTO;
  }

  /** Cores in thousandths, so that sums are exact. */
  public long milliCpus() {
    return Math.round(cpus * THOUSANDTHS);
  }

  /** Whether devices are shared with others by their memory. */
  public boolean sharesGpus() {
    return gpuMemory > 0;
  }
}
