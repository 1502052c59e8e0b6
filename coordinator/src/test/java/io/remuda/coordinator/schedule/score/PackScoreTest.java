package io.remuda.coordinator.schedule.score;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackScoreTest {
  private static final double EXACT = 1e-12;
  private static final ResourceRequest CORES = needs().cpus(1).request();
  private static final ResourceRequest GPU = needs().gpus(1).request();

  private final PackScore score = new PackScore();

  @ParameterizedTest(name = "{0} of 4000 cores and {1} of 1000 bytes free")
  @CsvSource({
    "4000, 1000, 0.5",
    "2000, 1000, 0.75",
    "4000, 500, 0.75",
    "2000, 250, 0.875",
    "1000, 750, 0.875",
    "0, 1000, 1",
    "4000, 0, 1",
    "-1000, 1000, 1",
    "5000, 2000, 0.5"
  })
  void a_node_without_gpus_scores_by_what_is_scarcer(long cpus, long memory, double expected) {
    RemainingNodeCapacity node = node("n1").cpus(cpus, 4000).memory(memory, 1000).capacity();
    assertEquals(expected, score.of(node, CORES), EXACT);
  }

  @ParameterizedTest(name = "{0} of 4000 cores free")
  @CsvSource({"4000, 0", "2000, 0.25", "0, 0.5"})
  void a_node_with_gpus_scores_half_of_that(long cpus, double expected) {
    RemainingNodeCapacity node = node("n1", device("A")).cpus(cpus, 4000).capacity();
    assertEquals(expected, score.of(node, CORES), EXACT);
  }

  @Test
  void an_empty_node_without_gpus_is_as_good_as_a_full_one_with_gpus() {
    RemainingNodeCapacity empty = node("n1").capacity();
    RemainingNodeCapacity full = node("n2", device("A")).cpus(0, 4000).capacity();
    assertEquals(score.of(empty, CORES), score.of(full, CORES), EXACT);
  }

  @Test
  void a_node_of_which_no_total_is_known_counts_as_full() {
    assertEquals(1, score.of(node("n1").cpus(0, 0).capacity(), CORES), EXACT);
    assertEquals(1, score.of(node("n1").memory(0, 0).capacity(), CORES), EXACT);
  }

  @ParameterizedTest(name = "{0} and {1} of 100 free")
  @CsvSource({"100, 100, 0", "100, 0, 0.5", "50, 50, 0.5", "25, 50, 0.625", "0, 0, 1"})
  void for_a_gpu_task_the_memory_of_all_gpus_counts(long first, long second, double expected) {
    RemainingNodeCapacity node =
        node("n1", device("A").shared(first), device("B").shared(second)).capacity();
    assertEquals(expected, score.of(node, GPU), EXACT);
    assertEquals(expected, score.of(node, needs().gpus(1).gpuMemory(10).request()), EXACT);
  }

  @Test
  void taken_and_lost_gpus_count_as_full() {
    RemainingNodeCapacity node =
        node("n1", device("A"), device("B").taken(), device("C").unfit(), device("D").shared(0))
            .capacity();
    assertEquals(0.75, score.of(node, GPU), EXACT);
  }

  @Test
  void larger_gpus_count_more() {
    RemainingNodeCapacity node =
        node("n1", device("A").memory(300, 300), device("B").memory(0, 100)).capacity();
    assertEquals(0.25, score.of(node, GPU), EXACT);
  }

  @Test
  void where_the_memory_of_gpus_is_not_known_their_number_counts() {
    RemainingNodeCapacity node =
        node("n1", device("A").memory(0, 0), device("B").memory(0, 0).taken()).capacity();
    assertEquals(0.5, score.of(node, GPU), EXACT);
    assertEquals(1, score.of(node("n1").capacity(), GPU), EXACT);
  }

  @Test
  void cores_do_not_matter_for_a_gpu_task() {
    RemainingNodeCapacity busy = node("n1", device("A")).cpus(0, 4000).memory(0, 1000).capacity();
    assertEquals(0, score.of(busy, needs().cpus(2).gpus(1).request()), EXACT);
  }

  @Test
  void each_placement_of_the_plan_raises_the_score() {
    RemainingNodeCapacity node = node("n1", device("A"), device("B")).capacity();
    double before = score.of(node, GPU);
    node.take(needs().gpus(1).gpuMemory(40).request(), null, RemainingNodeCapacity.byIndex());
    double between = score.of(node, GPU);
    node.take(GPU, null, RemainingNodeCapacity.byIndex());
    double after = score.of(node, GPU);
    assertEquals(0, before, EXACT);
    assertEquals(0.2, between, EXACT);
    assertEquals(0.7, after, EXACT);
    assertTrue(before < between && between < after);
  }
}
