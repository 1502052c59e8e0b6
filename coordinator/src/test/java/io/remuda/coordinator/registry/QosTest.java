package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TrainingTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Classes of jobs, and jobs that are first for a time. */
class QosTest {

  private static final JobTerms SCAVENGER =
      JobTerms.USUAL.with(
          terms -> {
            terms.qos = Qos.SCAVENGER;
            terms.preemption = PreemptionTerms.TRAINING;
          });
  private static final JobTerms FOR_TESTS = JobTerms.USUAL.with(terms -> terms.qos = Qos.TEST);

  private final TestCluster cluster =
      new TestCluster(
              TestCluster.PATIENT,
              new SchedulingSettings(
                  Duration.ofSeconds(60), Duration.ofDays(1), Duration.ofMinutes(5), Duration.ZERO))
          .commands()
          .node("n1", "A", "B");

  private TestCluster runs() {
    List<TaskReport> reports = new ArrayList<>();
    for (PlacedTask task : cluster.tasks.placed()) {
      reports.add(new TaskReport(task.attemptId(), TaskPhase.RUNNING, 7, null, null));
    }
    return cluster.reported("n1", reports.toArray(TaskReport[]::new));
  }

  private TestCluster ended(String attempt, TaskEnd.Kind kind) {
    List<TaskReport> reports = new ArrayList<>();
    TaskEnd end =
        kind == TaskEnd.Kind.BY_ITSELF
            ? new TaskEnd(kind, 0, null, "exit code 0", null, null, 1000L)
            : TaskEnd.because(kind, "asked");
    for (PlacedTask task : cluster.tasks.placed()) {
      boolean over = task.attemptId().toString().equals(attempt);
      reports.add(
          new TaskReport(
              task.attemptId(),
              over ? TaskPhase.ENDED : TaskPhase.RUNNING,
              7,
              null,
              over ? end : null));
    }
    return cluster.reported("n1", reports.toArray(TaskReport[]::new));
  }

  @Test
  void a_scavenger_starts_after_all_others_whoever_came_first() {
    cluster.terms(SCAVENGER).job(1, 2, 1);
    cluster.terms(JobTerms.USUAL.with(terms -> terms.priority = -JobTerms.TOP_PRIORITY));
    cluster.of("bob").job(2, 1, 1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.STARTING, cluster.state("1.0")); // the GPU that nobody else wants
    assertEquals(TaskState.WAITING, cluster.state("1.1"));
  }

  @Test
  void it_leaves_at_once_also_for_another_job_of_its_user() {
    cluster.terms(SCAVENGER).job(1, 2, 1).schedule();
    runs().after(Duration.ofSeconds(1));
    cluster.terms(JobTerms.USUAL).job(2, 1, 2).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    assertEquals(TaskState.STOPPING, cluster.state("1.1"));
    ended("1.0.1", TaskEnd.Kind.ON_REQUEST);
    ended("1.1.1", TaskEnd.Kind.ON_REQUEST).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void it_costs_no_share_and_counts_for_no_limit() {
    cluster.tasks.userUse().limit("ann", new UserLimits(1L, null, null, null));
    cluster.of("ann").terms(SCAVENGER).job(1, 2, 1).schedule();
    assertEquals(2, cluster.tasks.placed().size());
    runs().after(Duration.ofHours(10));
    assertTrue(cluster.tasks.shares().use(cluster.now()).getOrDefault("ann", 0.0) == 0);
    cluster.terms(JobTerms.USUAL).job(2, 1, 1).schedule();
    assertEquals(1, cluster.changes.stream().filter(c -> c.to() == TaskState.STOPPING).count());
  }

  @Test
  void nothing_is_reserved_for_a_scavenger() {
    cluster.terms(JobTerms.USUAL).of("bob").job(1, 1, 1).schedule();
    runs();
    cluster.terms(SCAVENGER).of("ann").job(2, 1, 2).schedule();
    cluster.after(Duration.ofMinutes(10));
    cluster.terms(SCAVENGER).of("eve").job(3, 1, 1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
  }

  @Test
  void a_test_is_ahead_of_every_priority_and_one_of_a_user_runs_at_a_time() {
    cluster.terms(JobTerms.USUAL.with(terms -> terms.priority = JobTerms.TOP_PRIORITY));
    cluster.of("bob").job(1, 2, 1);
    cluster.terms(FOR_TESTS).of("ann").job(2, 2, 1).job(3, 1, 1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    assertEquals(TaskState.WAITING, cluster.state("2.1"));
    assertEquals(TaskState.WAITING, cluster.state("3.0"));
    runs();
    ended("2.0.1", TaskEnd.Kind.BY_ITSELF).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.1"));
  }

  @Test
  void a_job_that_is_first_until_a_time_falls_back_then() {
    long until = 1_000_000;
    cluster.job(1, 2, 1).schedule();
    runs();
    cluster.job(2, 1, 1);
    cluster.terms(JobTerms.USUAL.withArray(TaskArrayTerms.NONE.withFirst(1, until)));
    cluster.job(3, 1, 1).job(4, 1, 1);
    assertEquals(List.of(), cluster.tasks.requests().fallBack(until - 1));
    ended("1.0.1", TaskEnd.Kind.BY_ITSELF).schedule();
    assertEquals(TaskState.STARTING, cluster.state("3.0"));
    assertEquals(2, cluster.tasks.requests().fallBack(until).size());
    runs();
    ended("1.1.1", TaskEnd.Kind.BY_ITSELF).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("4.0"));
    assertEquals(List.of(), cluster.tasks.requests().fallBack(until + 1));
  }

  @Test
  void a_job_that_has_ended_does_not_fall_back_before_its_end_is_stored() {
    long until = 1_000_000;
    cluster.terms(JobTerms.USUAL.withArray(TaskArrayTerms.NONE.withFirst(1, until)));
    cluster.job(1, 1, 1).job(2, 1, 1).cancel(1);
    List<JobSpec> back = cluster.tasks.requests().fallBack(until);
    assertEquals(List.of(new JobId(2)), back.stream().map(JobSpec::id).toList());
  }

  private static JobTerms limited(JobTerms terms, Duration limit) {
    return terms.with(draft -> draft.timeLimitMillis = limit.toMillis());
  }

  /** Bob's job ends in an hour; Ann's, which needs all GPUs of the node, has waited too long. */
  private TestCluster annWaitsForAllGpus(int gpus) {
    cluster.terms(limited(JobTerms.USUAL, Duration.ofHours(1))).of("bob").job(1, 1, 1);
    cluster.terms(limited(SCAVENGER, Duration.ofHours(10))).of("bob").job(2, 1, 1).schedule();
    runs();
    cluster.terms(JobTerms.USUAL).of("ann").job(3, 1, gpus).after(Duration.ofMinutes(2));
    return cluster.schedule();
  }

  @Test
  void no_reservation_waits_for_the_time_limit_of_a_scavenger() {
    cluster.node("n1", "A", "B", "C");
    annWaitsForAllGpus(3);
    cluster.terms(limited(JobTerms.USUAL, Duration.ofHours(5))).of("eve").job(4, 1, 1).schedule();
    assertEquals(TaskState.WAITING, cluster.state("4.0")); // a GPU is free, but Ann is due in 1 h
    cluster.terms(limited(JobTerms.USUAL, Duration.ofMinutes(30))).job(5, 1, 1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("5.0"));
  }

  @Test
  void a_job_that_would_break_a_reservation_has_no_scavenger_leave() {
    annWaitsForAllGpus(2);
    cluster.terms(limited(JobTerms.USUAL, Duration.ofHours(5))).of("eve").job(4, 1, 1).schedule();
    cluster.after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("2.0"));
    cluster.terms(limited(JobTerms.USUAL, Duration.ofMinutes(30))).job(5, 1, 1);
    cluster.after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("2.0"));
  }

  @Test
  void a_scavenger_leaves_before_it_has_begun_to_run() {
    cluster.terms(SCAVENGER).job(1, 2, 1).schedule();
    cluster.terms(JobTerms.USUAL).of("bob").job(2, 1, 2).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    assertEquals(TaskState.STOPPING, cluster.state("1.1"));
  }

  @Test
  void a_scavenger_leaves_in_its_last_epoch() {
    cluster.terms(SCAVENGER.with(terms -> terms.training = TrainingTerms.of(1)));
    cluster.job(1, 1, 2).schedule();
    runs().terms(JobTerms.USUAL).of("bob").job(2, 1, 2).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
  }

  @Test
  void a_gang_of_scavengers_of_which_a_member_has_ended_leaves() {
    cluster.terms(SCAVENGER.with(terms -> terms.gang = GangTerms.of(true))).job(1, 2, 1);
    cluster.schedule();
    runs();
    ended("1.0.1", TaskEnd.Kind.BY_ITSELF);
    cluster.terms(JobTerms.USUAL).of("bob").job(2, 1, 2).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.1"));
    ended("1.1.1", TaskEnd.Kind.ON_REQUEST).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals(TaskState.WAITING, cluster.state("1.1"));
  }

  @Test
  void scavengers_leave_rather_than_another_preemptible_job_though_they_are_more() {
    cluster.terms(JobTerms.USUAL.with(terms -> terms.preemption = PreemptionTerms.TRAINING));
    cluster.of("bob").job(1, 1, 2).schedule();
    runs();
    cluster.node("n2", "C", "D").terms(SCAVENGER).of("eve").job(2, 2, 1).schedule();
    cluster.terms(JobTerms.USUAL.with(terms -> terms.priority = 1)).of("ann").job(3, 1, 2);
    cluster.after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    assertEquals(TaskState.STOPPING, cluster.state("2.0"));
    assertEquals(TaskState.STOPPING, cluster.state("2.1"));
  }
}
