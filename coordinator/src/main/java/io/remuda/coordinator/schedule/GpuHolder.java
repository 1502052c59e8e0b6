package io.remuda.coordinator.schedule;

import io.remuda.worker.job.ResourceRequest;
import java.util.Map;

/**
 * Running tasks with whole GPUs that may make place for more urgent ones.
 *
 * @param group who would leave together
 * @param value how many such jobs end in a second, expected, with their age; above 0
 * @param needs of each of its tasks
 * @param tasks number of its tasks on each node
 */
public record GpuHolder(
    PreemptibleTaskGroup group, double value, ResourceRequest needs, Map<String, Integer> tasks) {
  public GpuHolder {
    tasks = Map.copyOf(tasks);
  }

  int gpusOn(String node) {
    return tasks.getOrDefault(node, 0) * needs.gpus();
  }

  int gpus() {
    return tasks.values().stream().mapToInt(Integer::intValue).sum() * needs.gpus();
  }
}
