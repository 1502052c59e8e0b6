package io.remuda.coordinator.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.rest.answer.TimelineAnswer;
import io.remuda.coordinator.rest.answer.WasteAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleGpuRowsTest {

  private static GpuEnergy.Idle idle(String gpu, int task, long since) {
    return new GpuEnergy.Idle(
        new TimelineAnswer.Span(gpu, "GPU-" + gpu, 0, null, 2, task, 1, "ann", "t", null), since);
  }

  @Test
  void a_job_has_one_row_with_all_its_gpus_and_its_command_once() {
    WasteAnswer.Row row = IdleGpuRows.row(List.of(idle("n:0", 0, 40), idle("n:1", 0, 0)), 1, 1000);
    assertEquals("n:0, n:1", row.gpu());
    assertEquals("n", row.node());
    assertEquals(40, row.idleSince());
    assertEquals("remuda cancel 2", row.command());
    assertEquals(
        "job 2 has 2 GPUs and has not used them for 16 min: look at remuda logs 2 before you end it",
        row.text());
  }

  @Test
  void tasks_of_it_that_use_theirs_are_not_in_the_command() {
    WasteAnswer.Row row = IdleGpuRows.row(List.of(idle("n:0", 3, 0), idle("m:1", 5, 0)), 9, 600);
    assertEquals("remuda cancel 2.3 2.5", row.command());
    assertNull(row.node());
  }
}
