package io.remuda.coordinator.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountedQuantityTextTest {

  @Test
  void one_is_singular_and_whole_numbers_have_no_point() {
    assertEquals("1 CPU", CountedQuantityText.counted(1.0, "CPU"));
    assertEquals("0.5 CPUs", CountedQuantityText.counted(0.5, "CPU"));
    assertEquals("20 GPUs", CountedQuantityText.counted(20, "GPU"));
    assertEquals("0 tasks", CountedQuantityText.counted(0, "task"));
  }
}
