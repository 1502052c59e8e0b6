package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.terminated;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.ServerEndTime;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What starts while the server's end is known, as in a Slurm job. */
class ServerEndTimeTest {
  private static final long WALL_MILLIS = 1_800_000_000_000L;
  private static final long TWO_HOURS = Duration.ofHours(2).toMillis();

  private final TestCluster cluster = new TestCluster().commands().node("n1", "A", "B");

  private static JobTerms limited(long millis) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), millis, 0, null);
  }

  private void endsAfter(Duration left) {
    cluster.tasks.serverEnds(new ServerEndTime(cluster.now() + left.toNanos(), WALL_MILLIS));
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  @Test
  void a_task_whose_limit_does_not_fit_waits_and_says_so_while_others_start() {
    endsAfter(Duration.ofMinutes(119));
    cluster.terms(limited(TWO_HOURS)).job(1, 1, 1);
    cluster.terms(limited(TWO_HOURS / 2)).job(2, 1, 1);
    cluster.terms(limited(0)).job(3, 1, 0).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals(List.of(new WaitReason.ServerEndsBefore(WALL_MILLIS, TWO_HOURS)), why("1.0"));
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }

  @Test
  void a_task_that_slurm_ends_together_with_its_agent_waits_again() {
    cluster.tasks.serverEnds(ServerEndTime.NEVER);
    cluster.terms(limited(0)).job(1, 1, 0).schedule().reported("n1", running("1.0.1"));
    cluster.reported("n1", terminated("1.0.1"));
    assertEquals(TaskState.RUNNING, cluster.state("1.0"), "the agent may tell a signal soon");
    cluster.tasks.requests().leaveAll("the allocation ends", cluster.now());
    cluster.reported("n1", terminated("1.0.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void a_task_that_somebody_else_terminates_has_failed() {
    cluster.tasks.serverEnds(ServerEndTime.NEVER);
    cluster.terms(limited(0)).job(1, 1, 0).schedule().reported("n1", running("1.0.1"));
    cluster.reported("n1", terminated("1.0.1")).after(Duration.ofSeconds(3));
    cluster.reported("n1", terminated("1.0.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void outside_of_an_allocation_it_has_failed_at_once() {
    cluster.terms(limited(0)).job(1, 1, 0).schedule().reported("n1", running("1.0.1"));
    cluster.reported("n1", terminated("1.0.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void it_starts_when_the_end_is_moved_or_there_is_none_any_more() {
    endsAfter(Duration.ofHours(1));
    cluster.terms(limited(TWO_HOURS)).job(1, 1, 1).job(2, 1, 1).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    endsAfter(Duration.ofHours(2));
    cluster.schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    cluster.tasks.serverEnds(ServerEndTime.NEVER);
    cluster.schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
  }
}
