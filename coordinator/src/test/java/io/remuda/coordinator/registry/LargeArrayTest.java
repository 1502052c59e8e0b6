package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.notBegun;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Attack H2: what is done to an array of a million tasks as a whole is one change. Before, each of
 * them was a change with rows of its own, and the server died of want of memory.
 */
@Tag("attack")
@Tag("attack-bad-request")
class LargeArrayTest {

  private static final ResourceRequest NOTHING = new ResourceRequest(0, 0);
  private static final ResourceRequest TWO_CORES = new ResourceRequest(2, 0);
  private static final JobId ONE = new JobId(1);

  private final TestCluster cluster = new TestCluster().commands().node("n1");

  private Map<TaskState, Integer> counts() {
    return cluster.tasks.counts(ONE);
  }

  @Test
  void what_is_done_to_a_million_waiting_tasks_is_one_change_each_time() {
    cluster.job(1, JobSpec.MOST_TASKS, TWO_CORES).hold(1);
    assertEquals(Map.of(TaskState.HELD, JobSpec.MOST_TASKS), counts());
    cluster.schedule();
    assertEquals(1, cluster.changes.size(), "nothing of it is placed");
    cluster.release(1);
    assertEquals(Map.of(TaskState.WAITING, JobSpec.MOST_TASKS), counts());
    cluster.cancel(1);
    assertEquals(TaskState.CANCELLED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertEquals(
        List.of("HOLD 1000000", "RELEASE 1000000", "READY 1000000", "CANCEL 1000000"),
        cluster.changes.stream().map(change -> change.trigger() + " " + change.tasks()).toList());
    assertEquals("cancelled", cluster.tasks.live(ONE).orElseThrow().reason(TaskState.CANCELLED));
    assertEquals("cancelled", cluster.task("1.999999").cause());
  }

  @Test
  void those_that_run_are_ended_one_by_one_and_the_others_as_one() {
    cluster.job(1, 5000, TWO_CORES).schedule().reported("n1", running("1.0.1"), running("1.1.1"));
    cluster.changes.clear();
    cluster.cancel(1);
    assertEquals(Map.of(TaskState.ENDING, 2, TaskState.CANCELLED, 4998), counts());
    assertEquals(3, cluster.changes.size());
    assertFalse(cluster.tasks.isUnsettled());
    cluster.reported("n1");
    assertEquals(Map.of(TaskState.CANCELLED, 5000), counts());
    assertEquals(TaskState.CANCELLED, cluster.tasks.stateOf(ONE).orElseThrow());
  }

  @Test
  void a_job_after_a_cancelled_million_hears_of_it() {
    cluster.job(1, JobSpec.MOST_TASKS, TWO_CORES).jobAfter(2, "1:any", 0).jobAfter(3, "1:ok", 0);
    cluster.cancel(1);
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
    assertEquals(TaskState.CANCELLED, cluster.state("3.0"));
  }

  @Test
  void an_array_goes_through_its_tasks_in_their_order_from_a_hold_to_the_next() {
    cluster.job(1, 3000, TWO_CORES).schedule();
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1")).hold(1).schedule();
    assertEquals(
        Map.of(TaskState.SUCCEEDED, 1, TaskState.RUNNING, 1, TaskState.HELD, 2998), counts());
    cluster.release(1).schedule();
    assertEquals("n1[]", cluster.place("1.2"));
    assertEquals("-", cluster.place("1.3"));
  }

  /** Of a job on hold no task starts, not even again. */
  @Test
  void a_task_that_comes_back_while_its_job_is_on_hold_is_held() {
    cluster.job(1, 3000, TWO_CORES).schedule().hold(1);
    cluster.reported("n1", notBegun("1.0.1"), running("1.1.1")).schedule();
    assertEquals(TaskState.HELD, cluster.state("1.0"));
    cluster.release(1).schedule();
    assertEquals("n1[]", cluster.place("1.0"));
  }

  /** All tasks of an array have been placed once, and wait again. */
  private void allTouched(int tasks) {
    cluster.job(1, tasks, NOTHING).schedule();
    cluster.reported(
        "n1",
        IntStream.range(0, tasks)
            .mapToObj(index -> notBegun("1." + index + ".1"))
            .toArray(TaskReport[]::new));
    assertEquals(Map.of(TaskState.WAITING, tasks), counts());
    cluster.changes.clear();
  }

  private int portions() {
    int portions = 0;
    while (cluster.tasks.isUnsettled()) {
      int changes = cluster.tasks.settle(cluster.now()).size();
      assertTrue(changes <= 2 * JobTransitions.PORTION, changes + " changes at once");
      portions++;
      assertTrue(portions < 100, "it does not come to an end");
    }
    return portions;
  }

  @Test
  void tasks_with_rows_of_their_own_follow_in_portions_and_none_is_placed_meanwhile() {
    allTouched(3500);
    cluster.hold(1);
    assertEquals(JobTransitions.PORTION, cluster.changes.size());
    cluster.schedule();
    assertEquals(
        Map.of(TaskState.WAITING, 2500, TaskState.HELD, 1000), counts(), "nothing is placed");
    assertEquals(3, portions());
    assertEquals(Map.of(TaskState.HELD, 3500), counts());
    cluster.release(1);
    cluster.cancel(1); // before all have followed the release
    portions();
    assertEquals(Map.of(TaskState.CANCELLED, 3500), counts());
  }

  @Test
  void what_had_not_followed_a_hold_when_it_was_released_is_placed() {
    allTouched(2500);
    cluster.hold(1).release(1);
    portions();
    cluster.schedule();
    assertEquals(Map.of(TaskState.STARTING, 2500), counts());
  }

  @Test
  void of_tasks_that_are_over_and_durable_only_the_state_is_kept_and_the_end_knows_all() {
    cluster.job(1, 3, TWO_CORES).schedule();
    cluster.reported("n1", exited("1.0.1", 0), exited("1.1.1", 4)).schedule();
    cluster.tasks.isKept(new TaskId(ONE, 0));
    cluster.tasks.isKept(new TaskId(ONE, 1));
    assertEquals(TaskState.FAILED, cluster.state("1.1"));
    cluster.reported("n1", exited("1.2.1", 5));
    assertEquals(TaskState.FAILED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertEquals(
        "1.1: exit code 4", cluster.tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
    assertEquals(4, cluster.tasks.live(ONE).orElseThrow().exitCode());
  }

  @Test
  void an_array_with_a_cancelled_task_has_no_exit_code_if_the_others_have_ended_with_0() {
    cluster.job(1, 2, TWO_CORES).schedule();
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1"));
    cluster.cancel(1).reported("n1", left("1.1.1"));
    assertEquals(TaskState.CANCELLED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertNull(cluster.tasks.live(ONE).orElseThrow().exitCode());
  }

  @Test
  void a_restored_array_has_the_ends_that_were_stored() {
    EndedTasks ended = new EndedTasks();
    ended.add(2, TaskState.SUCCEEDED, null, 0);
    ended.add(1, TaskState.FAILED, "exit code 9", 9);
    TestCluster next = new TestCluster().commands().node("n1");
    cluster.job(1, 3, TWO_CORES);
    next.tasks.restore(
        new RestoredJob(
            cluster.tasks.job(ONE).orElseThrow(),
            Set.of(),
            TaskState.WAITING,
            null,
            List.of(),
            ended,
            GangStart.NONE,
            next.now(),
            null),
        next.now());
    assertEquals(
        Map.of(TaskState.WAITING, 1, TaskState.SUCCEEDED, 1, TaskState.FAILED, 1),
        next.tasks.counts(ONE));
    next.schedule().reported("n1", exited("1.0.1", 0));
    assertEquals("1.1: exit code 9", next.tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
    assertEquals(9, next.tasks.live(ONE).orElseThrow().exitCode());
  }
}
