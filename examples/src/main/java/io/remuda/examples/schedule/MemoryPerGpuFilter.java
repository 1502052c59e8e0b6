package io.remuda.examples.schedule;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;

/**
 * A filter of one's own: a task with GPUs needs 16 GiB of the machine's memory for each of them,
 * even if it does not ask for memory, because its data loaders need it.
 *
 * <p>A filter checks one requirement of a task on one node. It either accepts, or returns a reason
 * that {@code remuda explain} shows to the user. It has no state, no clock and no I/O: the
 * scheduler asks all filters for many pairs of tasks and nodes in one cycle, and an equal snapshot
 * must give an equal plan.
 *
 * <p>To use it on a cluster, add it to {@link Filter#ALL}. A filter that needs a new reason adds a
 * record to {@link WaitReason}, and its text to {@code WaitText}.
 *
 * <p>{@link #main} asks it about three nodes.
 */
public final class MemoryPerGpuFilter implements Filter {

  private static final long BYTES_PER_GPU = SampleNodes.gib(16);

  @Override
  public Optional<WaitReason> refusal(RemainingNodeCapacity node, ResourceRequest needs) {
    long wanted = needs.gpus() * BYTES_PER_GPU;
    if (node.freeMemory() >= wanted) {
      return Optional.empty();
    }
    return Optional.of(
        new WaitReason.TooLittleMemory(
            node.name(), wanted, node.freeMemory(), node.offer().memory().total()));
  }

  /** Prints for each sample node whether a task with two GPUs may run there. */
  public static void main(String[] arguments) {
    ResourceRequest twoGpus = new ResourceRequest(1, 2);
    List<RemainingNodeCapacity> nodes =
        List.of(
            RemainingNodeCapacity.of(SampleNodes.node("lab1", 8, 4, 80)),
            RemainingNodeCapacity.of(SampleNodes.node("lab2", 32, 4, 80)),
            RemainingNodeCapacity.of(SampleNodes.node("lab3", 256, 4, 80)));
    Filter filter = new MemoryPerGpuFilter();
    for (RemainingNodeCapacity node : nodes) {
      String answer = filter.refusal(node, twoGpus).map(WaitReason::toString).orElse("accepted");
      System.out.println(node.name() + ": " + answer);
    }
  }
}
