package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one task of a job needs.
 *
 * @param cpus cores, fractions and 0 allowed; counted in thousandths
 * @param gpus devices, all on one node
 * @param memory of the machine in bytes, 0 if it does not matter
 * @param gpuMemory bytes of each of the devices, which others may share then; 0 for whole devices,
 *     {@link #AUTO} for what tasks of its type were measured to need
 * @param gpuModel part of the model's name, in any case, or null for any
 * @param labels that the node must have
 * @param perGpu at most so many tasks may be on each of its devices, this one among them; 0 if that
 *     does not matter. Without gpuMemory each has that part of the device
 * @param gpuPercent how busy it keeps its devices as far as is known, 0 if it is not; tasks that
 *     share one are to keep it busy together at most 100 %
 * @param bound the process that wants them, if it can use no other devices; null for any
 */
public record ResourceRequest(
    double cpus,
    int gpus,
    long memory,
    long gpuMemory,
    String gpuModel,
    Map<String, String> labels,
    int perGpu,
    int gpuPercent,
    @JsonInclude(JsonInclude.Include.NON_NULL) BoundProcess bound) {

  /** As much of each device as its type needs; whole devices as long as that is not known. */
  public static final long AUTO = -1;

  private static final int THOUSANDTHS = 1000;
  private static final int MOST_PER_GPU = 1000;
  private static final double LENDABLE = 0.96;

  public ResourceRequest {
    labels = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    if (!(cpus >= 0) || Double.isInfinite(cpus)) {
      throw new IllegalArgumentException("cpus must be 0 or more, got " + cpus);
    }
    RecordChecks.atLeast("gpus", 0, gpus);
    RecordChecks.notNegative("memory", memory);
    if (gpuMemory != AUTO) {
      RecordChecks.notNegative("gpuMemory", gpuMemory);
    }
    RecordChecks.within("perGpu", 0, MOST_PER_GPU, perGpu);
    RecordChecks.within("gpuPercent", 0, 100, gpuPercent);
    if (gpus == 0 && (gpuMemory != 0 || gpuModel != null || perGpu != 0)) {
      throw new IllegalArgumentException("gpuMemory, gpuModel and perGpu want gpus of at least 1");
    }
    if (bound != null && bound.devices().size() != gpus) {
      throw new IllegalArgumentException(
          "devices must be as many as gpus, " + gpus + ", got " + bound.devices());
    }
    if (bound != null && gpuModel != null) {
      throw new IllegalArgumentException(
          "give devices or gpuModel, not both, got " + bound.devices() + " and " + gpuModel);
    }
  }

  /** A request for any devices that will do. */
  public ResourceRequest(
      double cpus,
      int gpus,
      long memory,
      long gpuMemory,
      String gpuModel,
      Map<String, String> labels,
      int perGpu,
      int gpuPercent) {
    this(cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, null);
  }

  /** A request to which only memory matters where devices are shared. */
  public ResourceRequest(
      double cpus,
      int gpus,
      long memory,
      long gpuMemory,
      String gpuModel,
      Map<String, String> labels) {
    this(cpus, gpus, memory, gpuMemory, gpuModel, labels, 0, 0);
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

  /** The same with another amount of the machine's memory. */
  public ResourceRequest withMemory(long bytes) {
    return new ResourceRequest(
        cpus, gpus, bytes, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound);
  }

  /** The same with another amount of each device. */
  public ResourceRequest withGpuMemory(long bytes) {
    return new ResourceRequest(
        cpus, gpus, memory, bytes, gpuModel, labels, perGpu, gpuPercent, bound);
  }

  /** The same of a task that is known to keep its devices so busy. */
  public ResourceRequest withGpuPercent(int percent) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, percent, bound);
  }

  /** The same on a node that has these labels. */
  public ResourceRequest withLabels(Map<String, String> others) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, others, perGpu, gpuPercent, bound);
  }

  /** The same of a process that can use no other devices. */
  public ResourceRequest boundTo(BoundProcess process) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, process);
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
    return gpuMemory > 0 || (gpuMemory == 0 && perGpu > 1);
  }

  /** So much of an idle device is surely free: of one of so many bytes some MiB are in use. */
  public static long nearlyAll(long deviceBytes) {
    return (long) (deviceBytes * LENDABLE);
  }

  /**
   * What a task that shares a device of so many bytes has of it, in bytes. Parts by number leave a
   * little: of an idle device some MiB are in use.
   */
  public long partOf(long deviceBytes) {
    return gpuMemory > 0 ? gpuMemory : nearlyAll(deviceBytes) / perGpu;
  }
}
