package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AttemptGpuUtilization;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is counted as used when attempts leave their places. */
class TaskUsageTest {
  private static final long GIB = 1L << 30;
  private static final UsageKey ANN = new UsageKey(3, "ann", "/bin/true", "n1");

  private final TestCluster cluster = new TestCluster().commands().node("n1", "A", "B");

  private static TaskReport ended(
      String attempt, int code, long wall, Long cpu, AttemptGpuUtilization load) {
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            code,
            null,
            "exit code " + code,
            GIB,
            cpu,
            wall,
            new TaskEnd.GpuUse(2 * GIB, null),
            null,
            load);
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end);
  }

  private UsageTotals taken() {
    return cluster.tasks.usage().take(3).getOrDefault(ANN, UsageTotals.NONE);
  }

  @Test
  void an_end_counts_once_however_often_it_is_reported() {
    cluster.job(1, 1, new ResourceRequest(2, 1, 4 * GIB)).schedule();
    cluster.reported("n1", running("1.0.1"));
    assertEquals(UsageTotals.NONE, taken());
    TaskReport end = ended("1.0.1", 0, 10_000, 5_000L, new AttemptGpuUtilization(30, 90, 80 * GIB));
    cluster.reported("n1", end);
    assertEquals(
        new UsageTotals(
            1, 1, 1, 10_000, 20_000, 20_000, 5_000, 10_000, 10_000, 3_000, 0, 40_960, 10_240, GIB,
            2 * GIB),
        taken());
    cluster.reported("n1", end);
    assertEquals(Map.of(), cluster.tasks.usage().take(3));
  }

  @Test
  void a_failed_try_counts_with_the_memory_that_it_had_and_its_task_once() {
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 1, null))
        .job(1, 1, new ResourceRequest(1, 0))
        .schedule();
    cluster.reported("n1", ended("1.0.1", 3, 10_000, null, null));
    UsageTotals first = taken();
    assertEquals(
        List.of(0L, 1L, 10_000L), List.of(first.tasks(), first.attempts(), first.ranMillis()));
    assertEquals(0, first.cpuMeasuredMillis(), "its CPU time is not known");
    assertEquals(10_000, first.cpuHeldMillis());
    cluster.clock.advance(Duration.ofMinutes(1));
    cluster.schedule().reported("n1", ended("1.0.2", 0, 1_000, 500L, null));
    UsageTotals second = taken();
    assertEquals(
        List.of(1L, 1L, 1_000L), List.of(second.tasks(), second.attempts(), second.ranMillis()));
  }

  @Test
  void what_never_ran_and_what_ended_before_it_ran_again_used_nothing() {
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 1, null))
        .job(1, 1, new ResourceRequest(1, 0))
        .schedule();
    cluster.reported("n1", ended("1.0.1", 3, 10_000, 1L, null));
    taken();
    cluster.clock.advance(Duration.ofMinutes(1));
    cluster
        .schedule()
        .reported(
            "n1", TaskReports.refused("1.0.2", TaskEnd.because(TaskEnd.Kind.NO_ROOM, "full")));
    assertEquals(Map.of(), cluster.tasks.usage().take(3));
  }

  @Test
  void without_a_word_of_its_end_the_time_since_it_was_seen_running_counts() {
    cluster.job(1, 1, new ResourceRequest(1, 0)).schedule();
    cluster.reported("n1", running("1.0.1"));
    cluster.clock.advance(Duration.ofSeconds(30));
    cluster.reported("n1"); // which no longer has it
    UsageTotals lost = taken();
    assertEquals(30_000, lost.ranMillis());
    assertEquals(0, lost.cpuMeasuredMillis());
  }
}
