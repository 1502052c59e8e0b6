package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a user may have at once, of a node with four GPUs and four CPUs. */
class UserLimitsTest {

  private final TestCluster cluster =
      new TestCluster()
          .commands()
          .terms(JobTerms.placed(PlacementPolicy.PACK))
          .node("n1", "A", "B", "C", "D");

  private void limit(String user, Long gpus, Long milliCpus, Long running) {
    cluster.tasks.userUse().limit(user, new UserLimits(gpus, milliCpus, running, null));
  }

  private long placed(long job) {
    return cluster.tasks.placed().stream()
        .filter(task -> task.id().job().equals(new JobId(job)))
        .count();
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  @Test
  void a_user_has_no_more_gpus_than_the_limit_and_others_get_the_rest() {
    limit("ann", 2L, null, null);
    cluster.of("ann").job(1, 4, 1).of("bob").job(2, 4, 1).schedule();
    assertEquals(2, placed(1));
    assertEquals(2, placed(2));
    assertEquals(List.of(new WaitReason.UserLimit("ann", "GPUs", 2, 2, 1)), why("1.2"));
  }

  @Test
  void what_has_ended_makes_room_for_the_next() {
    limit("ann", null, 1000L, null);
    cluster.of("ann").job(1, 2, new ResourceRequest(1, 0)).schedule();
    assertEquals(List.of(new WaitReason.UserLimit("ann", "CPUs", 1, 1, 1)), why("1.1"));
    cluster.reported("n1", exited("1.0.1", 0)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
  }

  @Test
  void the_limit_of_all_users_counts_for_each_unless_there_is_an_own_one() {
    limit(UserLimits.ALL_USERS, null, null, 1L);
    limit("bob", null, null, 3L);
    limit("eve", null, null, UserLimits.NONE);
    cluster.of("ann").job(1, 5, 0).of("bob").job(2, 5, 0).of("eve").job(3, 5, 0).schedule();
    assertEquals(List.of(1L, 3L, 5L), List.of(placed(1), placed(2), placed(3)));
    assertEquals(List.of(new WaitReason.UserLimit("ann", "tasks", 1, 1, 1)), why("1.1"));
  }

  @Test
  void a_smaller_task_of_the_user_may_pass_a_larger_one() {
    limit("ann", 2L, null, null);
    cluster.of("ann").job(1, 1, 1).job(2, 1, 2).job(3, 1, 0).schedule();
    assertEquals(List.of(1L, 0L, 1L), List.of(placed(1), placed(2), placed(3)));
  }

  @Test
  void a_gang_starts_within_the_limit_or_not_at_all() {
    limit("ann", 3L, null, null);
    cluster.terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.of("ann").job(1, 2, 1).job(2, 2, 1).schedule();
    assertEquals(List.of(2L, 0L), List.of(placed(1), placed(2)));
    assertEquals(List.of(new WaitReason.UserLimit("ann", "GPUs", 3, 2, 2)), why("2.0"));
  }

  @Test
  void nobody_leaves_for_a_task_that_a_limit_keeps() {
    limit("ann", 0L, null, null);
    PreemptionTerms atOnce = new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000);
    cluster.terms(JobTerms.placed(PlacementPolicy.PACK).with(draft -> draft.preemption = atOnce));
    cluster.of("bob").job(1, 1, 4).schedule().reported("n1", running("1.0.1"));
    cluster.terms(new JobTerms(false, PlacementPolicy.PACK, 5, List.of(), 0, 0, null));
    cluster.of("ann").job(2, 1, 1).after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  /** Each round the tasks that run end, and others take their places. */
  @Test
  void a_user_who_floods_does_not_keep_another_from_their_share() {
    limit(UserLimits.ALL_USERS, 3L, null, null);
    for (int job = 1; job <= 500; job++) {
      cluster.of("ann").job(job, 10, 1);
    }
    cluster.of("bob").job(501, 200, 1);
    Map<String, Integer> started = new HashMap<>();
    for (int round = 0; round < 60; round++) {
      cluster.schedule();
      List<TaskReport> ended = new ArrayList<>();
      cluster
          .tasks
          .placed()
          .forEach(
              task -> {
                String user = task.id().job().value() == 501 ? "bob" : "ann";
                started.merge(user, 1, Integer::sum);
                ended.add(exited(task.attemptId().toString(), 0));
              });
      assertEquals(4, ended.size());
      cluster.after(Duration.ofSeconds(10)).reported("n1", ended.toArray(TaskReport[]::new));
    }
    assertTrue(
        Math.abs(started.get("bob") - started.get("ann")) <= 12, "tasks started: " + started);
  }
}
