package io.remuda.coordinator.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GapTextTest {

  @Test
  void a_reason_names_the_job_that_the_free_gpus_are_too_few_for() {
    assertEquals(
        "too few free GPUs for job 17, which needs 8", GapText.of("too-few-free-gpus", 17L, 8));
    assertEquals("too few free GPUs for job 17", GapText.of("too-few-free-gpus", 17L, 0));
    assertEquals("kept for job 4", GapText.of("kept-for", 4L, 2));
    assertEquals("nobody waited", GapText.of("nobody-waited", null, 0));
    assertEquals("too few free CPUs", GapText.of("too-few-free-cpus"));
  }
}
