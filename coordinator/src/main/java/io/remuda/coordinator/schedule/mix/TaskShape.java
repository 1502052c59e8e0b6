package io.remuda.coordinator.schedule.mix;

import io.remuda.worker.job.GpuShare;
import io.remuda.worker.job.ResourceRequest;
import java.util.Map;

/**
 * What a task needs of its node, without what only few tasks ask for: names, counted resources and
 * limits per GPU.
 *
 * @param milliCpus thousandths of a core
 * @param memory of the machine in bytes
 * @param gpus number of devices, 0 for none
 * @param share of each device
 * @param gpuModel as in the request, or null for any
 * @param labels that the node must have
 */
public record TaskShape(
    long milliCpus,
    long memory,
    int gpus,
    GpuShare share,
    String gpuModel,
    Map<String, String> labels) {

  public TaskShape {
    labels = Map.copyOf(labels);
  }

  /** Returns the shape of tasks with these needs. */
  public static TaskShape of(ResourceRequest needs) {
    return new TaskShape(
        needs.milliCpus(),
        needs.memory(),
        needs.gpus(),
        needs.gpuShare(),
        needs.gpuModel(),
        needs.labels());
  }
}
