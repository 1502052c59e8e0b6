package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/** Checks one requirement of a task on a node. */
public interface Filter {

  /** All filters in the order of their application. */
  List<Filter> ALL =
      List.of(
          new NodeReadyFilter(),
          new NameFilter(),
          new LabelFilter(),
          new HeldDeviceFilter(),
          new BoundDeviceFilter(),
          new GpuFilter(),
          new GpuMemoryFilter(),
          new MaxTasksPerNodeFilter(),
          new CpuFilter(),
          new MemoryFilter(),
          new CountedResourceFilter());

  /** Returns why the node does not meet the requirement, empty if it does. */
  Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs);

  /** Returns the reason of the first of {@link #ALL} that refuses, empty if none does. */
  static Optional<WaitReason> firstRefusal(RemainingNodeCapacity node, ResourceRequest needs) {
    for (Filter filter : ALL) {
      Optional<WaitReason> no = filter.refusal(node, needs);
      if (no.isPresent()) {
        return no;
      }
    }
    return Optional.empty();
  }
}
