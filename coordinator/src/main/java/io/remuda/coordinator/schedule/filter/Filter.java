package io.remuda.coordinator.schedule.filter;

import io.remuda.coordinator.schedule.NodeCapacity;
import io.remuda.coordinator.schedule.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/** Says whether a node has what a task needs, in one respect. */
public interface Filter {

  /** All of them; the first that refuses gives the reason. */
  List<Filter> ALL =
      List.of(
          new PresenceFilter(),
          new LabelFilter(),
          new HeldFilter(),
          new BoundFilter(),
          new GpuFilter(),
          new GpuMemoryFilter(),
          new TaskCountFilter(),
          new CpuFilter(),
          new MemoryFilter());

  /** Why the node will not do, or nothing if it will. */
  Optional<WaitReason> refusal(NodeCapacity node, ResourceRequest needs);

  /** What the first of {@link #ALL} that refuses says. */
  static Optional<WaitReason> firstRefusal(NodeCapacity node, ResourceRequest needs) {
    for (Filter filter : ALL) {
      Optional<WaitReason> no = filter.refusal(node, needs);
      if (no.isPresent()) {
        return no;
      }
    }
    return Optional.empty();
  }
}
