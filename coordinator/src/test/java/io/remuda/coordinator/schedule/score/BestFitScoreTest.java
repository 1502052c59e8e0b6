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

class BestFitScoreTest {
  private static final double EXACT = 1e-12;

  private final BestFitScore score = new BestFitScore();

  private static ResourceRequest part(long bytes) {
    return needs().gpus(1).gpuMemory(bytes).request();
  }

  @ParameterizedTest(name = "{2} where {0} and {1} of 100 are free")
  @CsvSource({
    "30, 100, 30, 1",
    "50, 100, 30, 0.8",
    "100, 100, 30, 0.3",
    "100, 31, 30, 0.99",
    "100, 29, 30, 0.3",
    "100, 100, 100, 1",
    "100, 0, 1, 0.01"
  })
  void the_gpu_that_is_left_with_least_counts(
      long first, long second, long wanted, double expected) {
    RemainingNodeCapacity node =
        node("n1", device("A").shared(first), device("B").shared(second)).capacity();
    assertEquals(expected, score.of(node, part(wanted)), EXACT);
  }

  @Test
  void the_rest_of_the_node_does_not_matter() {
    RemainingNodeCapacity busy =
        node("n1", device("A").shared(40), device("B").taken()).cpus(0, 4000).capacity();
    RemainingNodeCapacity idle = node("n2", device("C").shared(40), device("D")).capacity();
    assertEquals(score.of(busy, part(30)), score.of(idle, part(30)), EXACT);
  }

  @Test
  void a_gpu_that_cannot_be_had_does_not_count() {
    RemainingNodeCapacity node =
        node(
                "n1",
                device("A").shared(80),
                device("B").taken(),
                device("C").unfit().free(30),
                device("D").free(30).load(1, 1, 0))
            .capacity();
    assertEquals(0.5, score.of(node, part(30)), EXACT);
  }

  @Test
  void the_largest_gpu_of_the_model_is_the_measure() {
    RemainingNodeCapacity node =
        node("n1", device("A").model("A100").memory(40, 40), device("B").shared(90)).capacity();
    ResourceRequest ofA100 = needs().gpus(1).gpuMemory(30).model("a100").request();
    assertEquals(1 - 10 / 40.0, score.of(node, ofA100), EXACT);
    assertEquals(1 - 10 / 100.0, score.of(node, part(30)), EXACT);
  }

  @Test
  void a_node_without_such_a_gpu_scores_zero() {
    assertEquals(0, score.of(node("n1").capacity(), part(1)), EXACT);
    assertEquals(0, score.of(node("n1", device("A").shared(10)).capacity(), part(11)), EXACT);
  }

  @Test
  void the_score_never_exceeds_one_though_an_idle_gpu_has_less_than_is_wanted() {
    RemainingNodeCapacity node = node("n1", device("A").free(96)).capacity();
    assertEquals(1, score.of(node, part(100)), EXACT);
  }

  @Test
  void parts_by_number_count_with_their_size() {
    RemainingNodeCapacity node = node("n1", device("A").shared(58)).capacity();
    assertEquals(0.9, score.of(node, needs().gpus(1).perGpu(2).request()), EXACT, "48 of 58");
  }

  @Test
  void whole_gpus_and_tasks_without_gpus_are_packed() {
    PackScore pack = new PackScore();
    RemainingNodeCapacity node =
        node("n1", device("A"), device("B").taken()).cpus(1000, 4000).capacity();
    for (ResourceRequest needs :
        new ResourceRequest[] {
          needs().gpus(1).request(),
          needs().cpus(1).request(),
          needs().gpus(1).perGpu(1).request(),
          needs().gpus(1).gpuMemory(ResourceRequest.AUTO).request()
        }) {
      assertEquals(pack.of(node, needs), score.of(node, needs), EXACT, needs.toString());
    }
    assertEquals(0.5, score.of(node, needs().gpus(1).request()), EXACT);
  }
}
