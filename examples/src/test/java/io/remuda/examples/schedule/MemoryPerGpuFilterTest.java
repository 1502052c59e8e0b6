package io.remuda.examples.schedule;

import static io.remuda.examples.schedule.SampleNodes.gib;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.examples.PrintedLines;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryPerGpuFilterTest {

  private static Optional<WaitReason> refusal(int gibFree, int gpus) {
    RemainingNodeCapacity node = RemainingNodeCapacity.of(SampleNodes.node("n", gibFree, 4, 80));
    return new MemoryPerGpuFilter().refusal(node, new ResourceRequest(1, gpus));
  }

  @Test
  void each_gpu_needs_memory_of_the_machine() {
    assertEquals(Optional.empty(), refusal(32, 2));
    assertEquals(
        Optional.of(new WaitReason.TooLittleMemory("n", gib(32), gib(31), gib(256))),
        refusal(31, 2));
  }

  @Test
  void a_task_without_gpus_needs_none() {
    assertEquals(Optional.empty(), refusal(0, 0));
  }

  @Test
  void the_example_refuses_the_node_with_too_little_memory_alone() throws Exception {
    List<String> lines = PrintedLines.of(MemoryPerGpuFilter::main);

    assertEquals("lab1: TooLittleMemory", lines.get(0).replaceFirst("\\[.*", ""));
    assertEquals(List.of("lab2: accepted", "lab3: accepted"), lines.subList(1, 3));
  }
}
