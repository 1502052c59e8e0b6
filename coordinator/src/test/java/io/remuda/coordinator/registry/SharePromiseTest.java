package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Trainings that share the only device as long as they keep their speed. Epochs take 60 seconds
 * alone.
 */
class SharePromiseTest {
  private static final long GIB = 1L << 30;
  private static final ResourceRequest SHARED =
      new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of(), 2, 0);
  private static final int ALONE = 60_000;

  private TaskReport told3;

  private final TestCluster cluster =
      new TestCluster().commands().nodeWithReadings("n1", 24 * GIB, 0, "A");

  @BeforeEach
  void twoTypesAreKnown() {
    for (long id = 1; id <= 2; id++) {
      String attempt = id + ".0.1";
      training(id, id == 1 ? "a" : "b", 0).schedule().reported("n1", running(attempt));
      cluster.after(Duration.ofMillis(ALONE));
      cluster.reported("n1", told(attempt, 1, ALONE)).reported("n1", ended(attempt, false));
    }
  }

  private TestCluster training(long id, String type, int promise) {
    return job(id, type, promise, PreemptionTerms.TRAINING);
  }

  private TestCluster job(long id, String type, int promise, PreemptionTerms preemption) {
    return cluster
        .terms(
            new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, type)
                .with(draft -> draft.preemption = preemption)
                .with(draft -> draft.training = TrainingTerms.of(10)))
        .job(id, 1, SHARED.withShareIf(promise));
  }

  private static TaskReport told(String attempt, int epochs, int millis) {
    return running(attempt).with(TrainingProgress.NONE.done(epochs, millis, 1));
  }

  private static TaskReport ended(String attempt, boolean leaving) {
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            0,
            null,
            "exit code 0",
            null,
            null,
            60_000L,
            new TaskEnd.GpuUse(4 * GIB, null),
            null);
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end)
        .with(TrainingProgress.NONE.done(1, ALONE, 1).leaving(leaving));
  }

  /** Jobs 3 and 4 run beside each other, and each tells an epoch, that of job 4 first. */
  private void epochsOf(int ofA, int ofB) {
    cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("3.0", "4.0"));
    cluster.reported("n1", running("3.0.1"), running("4.0.1"));
    cluster.after(Duration.ofMillis(ALONE));
    told3 = told("3.0.1", 1, ofA);
    cluster.reported("n1", told("4.0.1", 1, ofB), told3);
  }

  private List<TaskState> states() {
    return List.of(cluster.state("3.0"), cluster.state("4.0"));
  }

  @Test
  void a_kept_promise_changes_nothing() {
    training(3, "a", 85);
    training(4, "b", 85);
    epochsOf(70_000, 70_000); // 86 %
    assertEquals(List.of(TaskState.RUNNING, TaskState.RUNNING), states());
  }

  @Test
  void without_a_promise_nothing_is_separated() {
    training(3, "a", 0);
    training(4, "b", 0);
    epochsOf(100_000, 100_000);
    assertEquals(List.of(TaskState.RUNNING, TaskState.RUNNING), states());
  }

  @Test
  void whoever_came_later_leaves_at_its_next_epoch_when_a_promise_is_broken() {
    training(3, "a", 85);
    training(4, "b", 0);
    epochsOf(100_000, ALONE);
    assertEquals(List.of(TaskState.RUNNING, TaskState.STOPPING), states());
    assertEquals(
        "job 3 has 60 % of its speed alone beside job 4, promised were 85 %",
        cluster.task("4.0").cause());
  }

  @Test
  void who_is_of_lower_rank_leaves_though_the_other_came_later() {
    for (int job = 3; job <= 4; job++) {
      Qos qos = job == 3 ? Qos.SCAVENGER : null;
      cluster
          .terms(
              new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, job == 3 ? "a" : "b")
                  .with(draft -> draft.preemption = PreemptionTerms.TRAINING)
                  .with(draft -> draft.training = TrainingTerms.of(10))
                  .with(draft -> draft.qos = qos))
          .job(job, 1, SHARED.withShareIf(85))
          .schedule();
    }
    epochsOf(100_000, 100_000);
    assertEquals(List.of(TaskState.STOPPING, TaskState.RUNNING), states());
  }

  @Test
  void a_newcomer_leaves_too_if_its_own_promise_is_broken() {
    training(3, "a", 0);
    training(4, "b", 85);
    epochsOf(ALONE, 100_000);
    assertEquals(List.of(TaskState.RUNNING, TaskState.STOPPING), states());
  }

  @Test
  void what_has_left_waits_until_the_other_has_ended() {
    training(3, "a", 85);
    training(4, "b", 0);
    epochsOf(100_000, ALONE);
    cluster.reported("n1", told3, ended("4.0.1", true)).after(Duration.ofSeconds(9)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("4.0"));
    assertEquals(
        List.of(new WaitReason.SlowTogether("n1", "a", 160)),
        cluster.tasks.whyWaiting(TaskId.parse("4.0"), cluster.now()));
    cluster.reported("n1", ended("3.0.1", false)).schedule();
    assertEquals("n1[A]", cluster.place("4.0"));
  }

  @Test
  void where_nobody_may_leave_both_go_on_and_nothing_is_added() {
    training(3, "a", 85);
    job(4, "b", 0, null);
    epochsOf(100_000, ALONE);
    assertEquals(List.of(TaskState.RUNNING, TaskState.RUNNING), states());
    training(5, "a", 0).schedule();
    assertEquals("-", cluster.place("5.0"));
  }

  @Test
  void a_pair_that_is_known_to_break_a_promise_is_not_tried_again() {
    training(3, "a", 85);
    training(4, "b", 0);
    epochsOf(100_000, ALONE);
    cluster.reported("n1", ended("3.0.1", false), ended("4.0.1", false));
    training(5, "b", 0);
    training(6, "a", 85);
    training(7, "a", 50).schedule();
    assertEquals(List.of("n1[A]", "-", "n1[A]"), cluster.places("5.0", "6.0", "7.0"));
  }
}
