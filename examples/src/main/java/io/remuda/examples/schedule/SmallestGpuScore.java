package io.remuda.examples.schedule;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.score.Score;
import io.remuda.worker.job.ResourceRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A score of one's own: prefers the node with the smallest GPUs, so that the large ones stay free
 * for tasks that fit nowhere else.
 *
 * <p>The scheduler asks a score only about nodes that passed all filters, and takes the node with
 * the highest answer. So a score never has to check whether the task fits. Its range is 0 to 1.
 *
 * <p>To use it on a cluster, give it a name in {@code PlacementPolicy} and choose it in {@code
 * Scheduler.score}; users then write {@code remuda submit --policy NAME}.
 *
 * <p>{@link #main} ranks three nodes.
 */
public final class SmallestGpuScore implements Score {

  /** A GPU of this size scores one half; any other value gives the same order. */
  private static final double MIDDLE_BYTES = SampleNodes.gib(80);

  @Override
  public double of(RemainingNodeCapacity node, ResourceRequest needs) {
    if (needs.gpus() == 0) {
      return node.offer().devices().isEmpty() ? 1 : 0;
    }
    return MIDDLE_BYTES / (MIDDLE_BYTES + node.largestGpu(needs));
  }

  /** Prints the sample nodes, the best first. */
  public static void main(String[] arguments) {
    ResourceRequest oneGpu = new ResourceRequest(1, 1);
    Score score = new SmallestGpuScore();
    List<RemainingNodeCapacity> nodes =
        List.of(
            RemainingNodeCapacity.of(SampleNodes.node("h200", 256, 8, 141)),
            RemainingNodeCapacity.of(SampleNodes.node("a100", 256, 8, 80)),
            RemainingNodeCapacity.of(SampleNodes.node("t4", 256, 4, 16)));
    nodes.stream()
        .sorted(Comparator.comparingDouble(node -> -score.of(node, oneGpu)))
        .map(node -> String.format(Locale.ROOT, "%s: %.2f", node.name(), score.of(node, oneGpu)))
        .forEach(System.out::println);
  }
}
