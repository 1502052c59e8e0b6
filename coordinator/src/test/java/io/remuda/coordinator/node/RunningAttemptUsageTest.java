package io.remuda.coordinator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What running attempts have used so far. */
class RunningAttemptUsageTest {
  private static final TaskUse SOME = new TaskUse(1000L, 500L, 1L, 2L, null, null);
  private static final TaskUse MORE = new TaskUse(2000L, 900L, 1L, 2L, null, null);

  private final RunningAttemptUsage uses = new RunningAttemptUsage();

  private static TaskReport running(String attempt, TaskUse use) {
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.RUNNING, 7, null, null).with(use);
  }

  @Test
  void the_newest_report_of_a_node_counts_and_only_for_its_attempts() {
    uses.reported("n1", List.of(running("1.0.1", SOME), running("1.2.1", SOME)));
    uses.reported("n2", List.of(running("1.1.1", SOME), running("2.0.1", null)));
    uses.reported("n1", List.of(running("1.0.1", MORE)));
    assertEquals(Map.of(0, MORE, 1, SOME), uses.of(new JobId(1)));
    assertEquals(Map.of(), uses.of(new JobId(2)));
  }

  @Test
  void of_a_node_that_is_gone_nothing_is_known() {
    uses.reported("n1", List.of(running("1.0.1", SOME)));
    uses.gone("n1");
    uses.gone("n1");
    assertEquals(Map.of(), uses.of(new JobId(1)));
  }
}
