package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources that one task of a job needs.
 *
 * @param cpus cores, may be 0 or a fraction; counted in thousandths
 * @param gpus number of devices, all on one node
 * @param memory memory of the machine in bytes, 0 for no requirement
 * @param gpuMemory bytes on each device, which may then be shared; 0 for whole devices, {@link
 *     #AUTO} for the measured requirement of tasks of its type
 * @param gpuModel part of the model's name, in any case, or several between {@code |} in the order
 *     of preference, or null for any
 * @param labels labels that the node must have, each with a value or several between {@code |}
 * @param perGpu maximum number of tasks on each of its devices, including this one; 0 for no limit.
 *     Without gpuMemory each task gets an equal part of the device
 * @param gpuPercent known utilisation of its devices, 0 if unknown; the total of the tasks that
 *     share a device is kept at or below 100 %
 * @param bound the process that requires particular devices; null for any devices
 * @param node what else its node must be or have; null for nothing
 * @param shareIf least speed beside others in percent of that alone, 1 to 99; 0 for no promise
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
    @JsonInclude(JsonInclude.Include.NON_NULL) LeaseHolderProcess bound,
    @JsonInclude(JsonInclude.Include.NON_NULL) NodeConstraints node,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int shareIf) {

  /** The measured requirement of the task's type; whole devices until it is known. */
  public static final long AUTO = -1;

  private static final int THOUSANDTHS = 1000;

  /** The maximum number of tasks that share a GPU. */
  public static final int MOST_PER_GPU = 1000;

  private static final double LENDABLE = 0.96;

  public ResourceRequest {
    node = node == null || node.isNone() ? null : node;
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
    RecordChecks.within("shareIf", 0, 99, shareIf);
    if (gpus == 0 && (gpuMemory != 0 || gpuModel != null || perGpu != 0 || shareIf != 0)) {
      throw new IllegalArgumentException(
          "gpuMemory, gpuModel, perGpu and shareIf need gpus of at least 1");
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

  /** Creates a request without a promise of its speed beside others. */
  public ResourceRequest(
      double cpus,
      int gpus,
      long memory,
      long gpuMemory,
      String gpuModel,
      Map<String, String> labels,
      int perGpu,
      int gpuPercent,
      LeaseHolderProcess bound,
      NodeConstraints node) {
    this(cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound, node, 0);
  }

  /** Creates a request without {@code bound}: any suitable devices. */
  public ResourceRequest(
      double cpus,
      int gpus,
      long memory,
      long gpuMemory,
      String gpuModel,
      Map<String, String> labels,
      int perGpu,
      int gpuPercent) {
    this(cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, null, null);
  }

  /** Creates a request that limits sharing only by memory. */
  public ResourceRequest(
      double cpus,
      int gpus,
      long memory,
      long gpuMemory,
      String gpuModel,
      Map<String, String> labels) {
    this(cpus, gpus, memory, gpuMemory, gpuModel, labels, 0, 0);
  }

  /** Creates a request for whole devices of any model on any node. */
  public ResourceRequest(double cpus, int gpus, long memory) {
    this(cpus, gpus, memory, 0, null, Map.of());
  }

  /** Creates a request without a memory requirement. */
  public ResourceRequest(double cpus, int gpus) {
    this(cpus, gpus, 0);
  }

  /** Returns a copy without devices. */
  public ResourceRequest withoutGpus() {
    return new ResourceRequest(cpus, 0, memory, 0, null, labels, 0, 0, null, node);
  }

  /** Returns a copy with another number of devices. */
  public ResourceRequest withGpus(int count) {
    return new ResourceRequest(
        cpus, count, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound, node, shareIf);
  }

  /** Returns a copy with another amount of the machine's memory. */
  public ResourceRequest withMemory(long bytes) {
    return new ResourceRequest(
        cpus, gpus, bytes, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound, node, shareIf);
  }

  /** Returns a copy with another amount of memory on each device. */
  public ResourceRequest withGpuMemory(long bytes) {
    return new ResourceRequest(
        cpus, gpus, memory, bytes, gpuModel, labels, perGpu, gpuPercent, bound, node, shareIf);
  }

  /** Returns a copy with another known utilisation of its devices. */
  public ResourceRequest withGpuPercent(int percent) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, percent, bound, node, shareIf);
  }

  /** Returns a copy for devices of another model; null for any. */
  public ResourceRequest withGpuModel(String model) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, model, labels, perGpu, gpuPercent, bound, node, shareIf);
  }

  /** Returns a copy with other node labels. */
  public ResourceRequest withLabels(Map<String, String> others) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, others, perGpu, gpuPercent, bound, node, shareIf);
  }

  /** Returns a copy with another promise of its speed beside others, in percent; 0 for none. */
  public ResourceRequest withShareIf(int percent) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound, node, percent);
  }

  /** Returns a copy for a process that requires particular devices. */
  public ResourceRequest boundTo(LeaseHolderProcess process) {
    return new ResourceRequest(
        cpus,
        gpus,
        memory,
        gpuMemory,
        gpuModel,
        labels,
        perGpu,
        gpuPercent,
        process,
        node,
        shareIf);
  }

  /** Returns a copy with other needs of the node; null for none. */
  public ResourceRequest withNode(NodeConstraints needs) {
    return new ResourceRequest(
        cpus, gpus, memory, gpuMemory, gpuModel, labels, perGpu, gpuPercent, bound, needs, shareIf);
  }

  /** Returns what else its node must be or have, also if that is nothing. */
  @JsonIgnore
  public NodeConstraints nodeNeeds() {
    return node == null ? NodeConstraints.NONE : node;
  }

  /** Returns the requests of which one will do, the preferred first: one for each GPU model. */
  public List<ResourceRequest> alternatives() {
    return gpuModel == null || gpuModel.indexOf('|') < 0
        ? List.of(this)
        : Arrays.stream(gpuModel.split("\\|")).map(this::withGpuModel).toList();
  }

  /** Returns how much of each device it needs, decoded from gpuMemory and perGpu. */
  @JsonIgnore
  public GpuShare gpuShare() {
    if (gpuMemory > 0) {
      return new GpuShare.Bytes(gpuMemory);
    }
    if (gpuMemory == AUTO) {
      return GpuShare.MEASURED;
    }
    return perGpu > 1 ? new GpuShare.PerDevice(perGpu) : GpuShare.WHOLE;
  }

  /** Returns the cores in thousandths, so that sums are exact. */
  public long milliCpus() {
    return Math.round(cpus * THOUSANDTHS);
  }

  /**
   * Returns the part of an idle device that is reliably free, in bytes; some MiB are always in use.
   */
  public static long nearlyAll(long deviceBytes) {
    return (long) (deviceBytes * LENDABLE);
  }
}
