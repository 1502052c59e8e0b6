package io.remuda.coordinator.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumberTextTest {

  @Test
  void one_is_singular_and_whole_numbers_have_no_point() {
    assertEquals("1 CPU", NumberText.counted(1.0, "CPU"));
    assertEquals("0.5 CPUs", NumberText.counted(0.5, "CPU"));
    assertEquals("20 GPUs", NumberText.counted(20, "GPU"));
    assertEquals("0 tasks", NumberText.counted(0, "task"));
  }
}
