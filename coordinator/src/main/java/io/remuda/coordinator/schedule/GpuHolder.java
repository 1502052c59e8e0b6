package io.remuda.coordinator.schedule;

import io.remuda.worker.job.ResourceRequest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Running tasks with whole GPUs that may make place for more urgent ones.
 *
 * @param group who would leave together
 * @param value how many such jobs end in a second, expected, with their age; above 0
 * @param single what its only task needs; null if it has several
 * @param held what its tasks hold on each node
 */
public record GpuHolder(
    PreemptibleTaskGroup group, double value, ResourceRequest single, Map<String, Held> held) {

  /** What tasks hold on a node together. */
  record Held(long gpus, long milliCpus, long memory) {
    private static Held by(Collection<ResourceRequest> tasks) {
      return new Held(
          tasks.stream().mapToLong(ResourceRequest::gpus).sum(),
          tasks.stream().mapToLong(ResourceRequest::milliCpus).sum(),
          tasks.stream().mapToLong(ResourceRequest::memory).sum());
    }
  }

  public GpuHolder {
    held = Map.copyOf(held);
  }

  /**
   * Creates the holder of these tasks.
   *
   * @param needs of the tasks on each node; those of a gang may differ
   */
  public static GpuHolder of(
      PreemptibleTaskGroup group, double value, Map<String, List<ResourceRequest>> needs) {
    Map<String, Held> held = new HashMap<>();
    needs.forEach((node, tasks) -> held.put(node, Held.by(tasks)));
    ResourceRequest any = needs.values().iterator().next().get(0);
    return new GpuHolder(group, value, group.tasks().size() == 1 ? any : null, held);
  }

  long gpus() {
    return held.values().stream().mapToLong(Held::gpus).sum();
  }
}
