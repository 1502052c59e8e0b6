package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The time limit of a whole job counts from its first start, and its end is a failure. */
class JobTimeLimitsTest {
  private static final JobId ONE = new JobId(1);
  private static final ResourceRequest A_CORE = new ResourceRequest(1, 0);
  private static final String PASSED = "time limit of the job, 1 min, passed";
  private static final Duration A_MINUTE = Duration.ofMillis(60_001);

  private final TestCluster cluster = new TestCluster().commands().node("n1").node("n2");

  private static JobTerms atMost(int running) {
    return JobTerms.USUAL.with(
        draft -> {
          draft.maxRunning = running;
          draft.jobTimeLimitMillis = 60_000;
        });
  }

  private List<TaskState> states() {
    return cluster.tasks.of(ONE).stream().map(task -> task.state()).toList();
  }

  private void failedWithItsReason(String prefix) {
    assertEquals(TaskState.FAILED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertEquals(prefix + PASSED, cluster.tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
  }

  @Test
  void what_runs_fails_and_what_never_began_is_cancelled() {
    cluster.terms(atMost(1)).job(1, 2, A_CORE).schedule();
    cluster.after(Duration.ofHours(1)).reported("n1", running("1.0.1"));
    cluster.after(Duration.ofSeconds(60)).tick();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    cluster.after(Duration.ofMillis(1)).tick();
    assertEquals(List.of(TaskState.ENDING, TaskState.CANCELLED), states());
    cluster.reported("n1", left("1.0.1"));
    assertEquals(List.of(TaskState.FAILED, TaskState.CANCELLED), states());
    failedWithItsReason("1.0: ");
  }

  @Test
  void a_task_that_was_over_before_it_was_seen_has_begun() {
    cluster.terms(atMost(1)).job(1, 2, A_CORE).schedule();
    assertEquals(false, cluster.tasks.live(ONE).orElseThrow().hasBegun());
    cluster.reported("n1", exitedAfter("1.0.1", 500)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
    cluster.after(Duration.ofMillis(59_500)).tick();
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
    cluster.after(Duration.ofMillis(1)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.1"));
  }

  @Test
  void a_task_that_left_its_place_fails_while_it_waits() {
    cluster.terms(atMost(0)).job(1, 1, A_CORE).schedule().reported("n1", running("1.0.1"));
    cluster.after(Duration.ofSeconds(30)).leave(1).reported("n1", left("1.0.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofSeconds(30)).tick();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofMillis(1)).tick();
    failedWithItsReason("");
  }

  @Test
  void a_task_on_hold_fails_too() {
    cluster.terms(atMost(0)).job(1, 1, A_CORE).schedule().reported("n1", running("1.0.1"));
    cluster.leave(1).hold(1).reported("n1", left("1.0.1"));
    assertEquals(TaskState.HELD, cluster.state("1.0"));
    cluster.after(A_MINUTE).tick();
    failedWithItsReason("");
  }

  @Test
  void a_task_that_starts_again_fails_although_it_is_not_seen_to_run() {
    cluster.terms(atMost(0)).job(1, 1, A_CORE).schedule().reported("n1", running("1.0.1"));
    cluster.leave(1).reported("n1", left("1.0.1")).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    cluster.after(A_MINUTE).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    cluster.reported("n1", left("1.0.2"));
    failedWithItsReason("");
  }

  @Test
  void a_task_on_a_silent_node_fails_when_its_end_is_known() {
    cluster.terms(atMost(0)).job(1, 1, A_CORE).schedule().reported("n1", running("1.0.1"));
    cluster.silent("n1").after(A_MINUTE).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    cluster.node("n1").joined("n1", left("1.0.1"));
    failedWithItsReason("");
  }

  @Test
  void an_array_of_which_nothing_runs_is_failed_by_its_next_task() {
    cluster.terms(atMost(1)).job(1, 3, A_CORE).schedule();
    cluster.reported("n1", running("1.0.1")).reported("n1", exited("1.0.1", 0));
    cluster.hold(1).after(A_MINUTE).tick();
    assertEquals(List.of(TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED), states());
    failedWithItsReason("1.1: ");
  }

  @Test
  void a_gang_that_starts_again_fails_as_a_whole() {
    JobTerms restart =
        new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 2, null)
            .with(
                draft ->
                    draft.gang = new GangTerms(true, GangTerms.Failure.RESTART, false, List.of()))
            .with(draft -> draft.jobTimeLimitMillis = 60_000);
    cluster.terms(restart).job(1, 3, new ResourceRequest(2, 0)).schedule();
    cluster.reported("n1", running("1.0.1"), running("1.1.1")).reported("n2", running("1.2.1"));
    cluster.reported("n1", exited("1.0.1", 0), exited("1.1.1", 3));
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING, TaskState.STOPPING), states());
    cluster.after(A_MINUTE).tick();
    assertEquals(List.of(TaskState.FAILED, TaskState.FAILED, TaskState.ENDING), states());
    cluster.reported("n2", left("1.2.1"));
    assertEquals(List.of(TaskState.FAILED, TaskState.FAILED, TaskState.FAILED), states());
    failedWithItsReason("1.0: ");
  }

  @Test
  void what_has_begun_fails_however_many_tasks_wait_before_it() {
    int last = JobTransitions.PORTION + 1;
    TestCluster one = new TestCluster().commands().node("n1");
    one.terms(atMost(0)).job(1, last + 1, new ResourceRequest(0, 0)).schedule();
    one.reported("n1", reports(last + 1, index -> running("1." + index + ".1")));
    one.leave(1)
        .reported(
            "n1",
            reports(
                last + 1,
                index -> index < last ? left("1." + index + ".1") : running("1." + index + ".1")));
    assertEquals(TaskState.WAITING, one.state("1." + (last - 1)));
    one.after(A_MINUTE).tick();
    one.reported("n1", left("1." + last + ".1"));
    assertEquals(TaskState.FAILED, one.state("1." + last));
  }

  private static TaskReport[] reports(int count, IntFunction<TaskReport> report) {
    return IntStream.range(0, count).mapToObj(report).toArray(TaskReport[]::new);
  }
}
