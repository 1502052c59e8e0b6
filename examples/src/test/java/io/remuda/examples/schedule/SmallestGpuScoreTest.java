package io.remuda.examples.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.examples.PrintedLines;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallestGpuScoreTest {

  private static double score(int gpus, int gpuGib, int wanted) {
    RemainingNodeCapacity node = RemainingNodeCapacity.of(SampleNodes.node("n", 256, gpus, gpuGib));
    return new SmallestGpuScore().of(node, new ResourceRequest(1, wanted));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 80, 141, 100_000})
  void a_score_is_between_0_and_1(int gpuGib) {
    double score = score(1, gpuGib, 1);
    assertTrue(score >= 0 && score <= 1, () -> "score " + score);
  }

  @Test
  void a_task_without_gpus_leaves_the_nodes_with_gpus_to_others() {
    assertTrue(score(0, 0, 0) > score(1, 16, 0));
  }

  @Test
  void the_example_ranks_the_smallest_gpus_first() throws Exception {
    List<String> names =
        PrintedLines.of(SmallestGpuScore::main).stream()
            .map(line -> line.substring(0, line.indexOf(':')))
            .toList();

    assertEquals(List.of("t4", "a100", "h200"), names);
  }
}
