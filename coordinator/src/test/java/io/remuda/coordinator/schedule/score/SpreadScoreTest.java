package io.remuda.coordinator.schedule.score;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.worker.job.ResourceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpreadScoreTest {
  private static final double EXACT = 1e-12;
  private static final ResourceRequest CORES = needs().cpus(1).request();
  private static final ResourceRequest GPU = needs().gpus(1).request();

  private final SpreadScore score = new SpreadScore();

  @ParameterizedTest(name = "{0} of 4000 cores and {1} of 1000 bytes free")
  @CsvSource({
    "4000, 1000, 1",
    "2000, 1000, 0.5",
    "4000, 250, 0.25",
    "1000, 500, 0.25",
    "0, 1000, 0",
    "4000, 0, 0",
    "-1000, 1000, 0",
    "5000, 2000, 1"
  })
  void the_scarcer_of_cores_and_memory_counts(long cpus, long memory, double expected) {
    RemainingNodeCapacity node = node("n1").cpus(cpus, 4000).memory(memory, 1000).capacity();
    assertEquals(expected, score.of(node, CORES), EXACT);
  }

  @Test
  void nodes_with_gpus_are_as_good_as_others_for_a_task_without() {
    RemainingNodeCapacity with = node("n1", device("A").taken()).capacity();
    assertEquals(score.of(node("n2").capacity(), CORES), score.of(with, CORES), EXACT);
  }

  @ParameterizedTest(name = "{0} and {1} of 100 free")
  @CsvSource({"100, 100, 1", "100, 0, 0.5", "50, 50, 0.5", "25, 50, 0.375", "0, 0, 0"})
  void for_a_gpu_task_the_free_memory_of_all_gpus_counts(long first, long second, double expected) {
    RemainingNodeCapacity node =
        node("n1", device("A").shared(first), device("B").shared(second)).capacity();
    assertEquals(expected, score.of(node, GPU), EXACT);
    assertEquals(expected, score.of(node, needs().gpus(2).perGpu(4).request()), EXACT);
  }

  @Test
  void taken_and_lost_gpus_are_not_free() {
    RemainingNodeCapacity node =
        node("n1", device("A"), device("B").taken(), device("C").unfit()).capacity();
    assertEquals(1 / 3.0, score.of(node, GPU), EXACT);
  }

  @Test
  void where_the_memory_of_gpus_is_not_known_their_number_counts() {
    RemainingNodeCapacity node =
        node("n1", device("A").memory(0, 0), device("B").memory(0, 0).taken()).capacity();
    assertEquals(0.5, score.of(node, GPU), EXACT);
  }

  @Test
  void a_node_of_which_no_total_is_known_counts_as_full() {
    assertEquals(0, score.of(node("n1").cpus(0, 0).capacity(), CORES), EXACT);
    assertEquals(0, score.of(node("n1").capacity(), GPU), EXACT);
  }

  @Test
  void it_is_the_opposite_of_packing_for_a_gpu_task() {
    PackScore pack = new PackScore();
    for (long free = 0; free <= 100; free += 10) {
      RemainingNodeCapacity node = node("n1", device("A").shared(free), device("B")).capacity();
      assertEquals(1, score.of(node, GPU) + pack.of(node, GPU), EXACT, "free " + free);
    }
  }

  @Test
  void each_placement_of_the_plan_lowers_the_score() {
    RemainingNodeCapacity node = node("n1").capacity();
    node.take(CORES, null, RemainingNodeCapacity.byIndex());
    assertEquals(0.75, score.of(node, CORES), EXACT);
    node.take(CORES, null, RemainingNodeCapacity.byIndex());
    assertEquals(0.5, score.of(node, CORES), EXACT);
  }
}
