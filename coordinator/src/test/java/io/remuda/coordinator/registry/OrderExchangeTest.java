package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.left;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who runs and who leaves in the job service under another order than the usual one. */
class OrderExchangeTest {

  private static final long MINUTE = 60_000;
  private static final PreemptionTerms AT_ONCE =
      new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000);

  private final TestCluster cluster = cluster(OrderPolicies.EXPECTED);

  private static TestCluster cluster(OrderPolicies order) {
    SchedulingSettings sharing =
        new SchedulingSettings(
            Duration.ofMinutes(1),
            Duration.ofDays(1),
            Duration.ZERO,
            Duration.ZERO,
            SchedulingSettings.Claims.PRIORITY,
            SchedulingSettings.FirstRun.ALONE,
            Map.of(),
            order);
    return new TestCluster(TestCluster.PATIENT, sharing).commands();
  }

  private static JobTerms takes(long minutes) {
    return new JobTerms(false, PlacementPolicy.USUAL, 0, List.of(), minutes * MINUTE, 0, null);
  }

  /** The node reports that these attempts run, and a cycle follows a second later. */
  private static void runs(TestCluster where, String node, String... attempts) {
    where
        .reported(node, Stream.of(attempts).map(TaskReports::running).toArray(TaskReport[]::new))
        .after(Duration.ofSeconds(1))
        .schedule();
  }

  @Test
  void a_preemptible_task_leaves_for_a_much_shorter_one_and_goes_on_afterwards() {
    cluster
        .terms(takes(600).with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    cluster.terms(takes(5)).job(2, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    assertEquals("preempted by task 2.0", cluster.task("1.0").cause());
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void what_jobs_of_its_type_took_counts_more_than_a_limit() {
    JobTerms quick = takes(1000).with(draft -> draft.type = "quick");
    cluster.node("n1", "A");
    for (int job = 1; job <= 3; job++) {
      cluster.terms(quick).job(job, 1, 1).schedule();
      cluster.reported("n1", exitedAfter(job + ".0.1", 5 * MINUTE)).schedule();
    }
    cluster.terms(takes(600).with(draft -> draft.preemption = AT_ONCE)).job(4, 1, 1).schedule();
    cluster.terms(quick).job(5, 1, 1);
    runs(cluster, "n1", "4.0.1");
    assertEquals("preempted by task 5.0", cluster.task("4.0").cause());
  }

  @Test
  void a_task_that_is_not_preemptible_keeps_its_place() {
    cluster.terms(takes(600)).node("n1", "A").job(1, 1, 1).schedule();
    cluster.terms(takes(5)).job(2, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void nobody_leaves_for_a_longer_one() {
    cluster
        .terms(takes(5).with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    cluster.terms(takes(600)).job(2, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void nobody_leaves_for_a_shorter_one_of_lower_priority() {
    JobTerms high = new JobTerms(false, PlacementPolicy.USUAL, 3, List.of(), 600 * MINUTE, 0, null);
    cluster
        .terms(high.with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    cluster.terms(takes(5)).job(2, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void the_shorter_one_starts_first_where_the_usual_order_has_the_first_submitted() {
    for (OrderPolicies order : List.of(OrderPolicies.FAIR, OrderPolicies.EXPECTED)) {
      TestCluster one = cluster(order);
      one.terms(takes(600)).node("n1", "A").job(1, 1, 1);
      one.terms(takes(5)).job(2, 1, 1).schedule();
      String first = order == OrderPolicies.FAIR ? "1.0" : "2.0";
      assertEquals("n1[A]", one.place(first), order.toString());
    }
  }

  @Test
  void by_default_nobody_leaves_for_a_shorter_one() {
    TestCluster usual = cluster(OrderPolicies.FAIR);
    usual
        .terms(takes(600).with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    usual.terms(takes(5)).job(2, 1, 1);
    runs(usual, "n1", "1.0.1");
    assertEquals(TaskState.RUNNING, usual.state("1.0"));
  }

  @Test
  void the_place_is_for_the_one_that_others_left_for_and_not_for_an_older_one_like_it() {
    JobTerms quick = takes(1000).with(draft -> draft.type = "quick");
    cluster.node("n1", "A");
    for (int job = 1; job <= 3; job++) {
      cluster.terms(quick).job(job, 1, 1).schedule();
      cluster.reported("n1", exitedAfter(job + ".0.1", 5 * MINUTE)).schedule();
    }
    cluster.terms(takes(600).with(draft -> draft.preemption = AT_ONCE)).job(4, 1, 1).schedule();
    cluster.terms(takes(1000).with(draft -> draft.type = "slow")).job(5, 1, 1);
    cluster.terms(quick).job(6, 1, 1);
    runs(cluster, "n1", "4.0.1");
    assertEquals("preempted by task 6.0", cluster.task("4.0").cause());
    cluster.reported("n1", left("4.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("6.0"));
    assertEquals("-", cluster.place("5.0"));
  }

  @Test
  void the_others_of_its_class_start_elsewhere_while_one_waits_for_its_place() {
    JobTerms quick = takes(1000).with(draft -> draft.type = "quick");
    cluster.node("n1", "A");
    for (int job = 1; job <= 3; job++) {
      cluster.terms(quick).job(job, 1, 1).schedule();
      cluster.reported("n1", exitedAfter(job + ".0.1", 5 * MINUTE)).schedule();
    }
    cluster.terms(takes(600).with(draft -> draft.preemption = AT_ONCE)).job(4, 1, 1).schedule();
    cluster.terms(takes(1000).with(draft -> draft.type = "slow")).job(5, 1, 1);
    cluster.terms(quick).job(6, 1, 1);
    runs(cluster, "n1", "4.0.1");
    cluster.node("n2", "B").schedule();
    assertEquals("n2[B]", cluster.place("5.0"));
    assertEquals("-", cluster.place("6.0"), "it gets the place that 4.0 leaves");
  }

  @Test
  void the_place_is_free_for_others_once_the_one_that_others_left_for_is_cancelled() {
    cluster
        .terms(takes(600).with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    cluster.terms(takes(5)).job(2, 1, 1).job(3, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals("preempted by task 2.0", cluster.task("1.0").cause());
    cluster.cancel(2).reported("n1", left("1.0.1")).schedule();
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals("n1[A]", cluster.place("3.0"));
  }

  @Test
  void what_a_task_ran_before_it_left_counts_as_service() {
    TestCluster levels = cluster(OrderPolicies.LEVELS);
    JobTerms plain = new JobTerms(false, PlacementPolicy.USUAL, 0, List.of(), 0, 0, null);
    levels.terms(plain).node("n1", "A").job(1, 1, 1).schedule();
    runs(levels, "n1", "1.0.1");
    levels.after(Duration.ofHours(10)).leave(1).job(2, 1, 1);
    levels.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", levels.place("2.0"), "it has had nothing, 1.0 ten hours");
  }

  @Test
  void a_task_that_has_left_its_place_keeps_its_age() {
    cluster.terms(takes(11)).node("n1", "A").job(1, 1, 1);
    cluster.after(Duration.ofDays(61)).schedule();
    runs(cluster, "n1", "1.0.1");
    cluster.leave(1).terms(takes(10)).job(2, 1, 1);
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("1.0"), "twice as urgent after two months");
  }

  @Test
  void a_job_keeps_its_age_when_the_server_starts_again() {
    TestCluster before = cluster(OrderPolicies.EXPECTED).terms(takes(11)).job(1, 1, 1);
    cluster.tasks.restore(
        new RestoredJob(
            before.tasks.job(new JobId(1)).orElseThrow(),
            Set.of(),
            TaskState.WAITING,
            null,
            List.of(),
            new EndedTasks(),
            GangStart.NONE,
            cluster.now() - Duration.ofDays(61).toNanos(),
            null),
        cluster.now());
    cluster.terms(takes(10)).node("n1", "A").job(2, 1, 1).schedule();
    assertEquals("n1[A]", cluster.place("1.0"), "twice as urgent after two months");
  }

  @Test
  void a_running_task_keeps_its_age_too() {
    cluster.terms(takes(600).with(draft -> draft.preemption = AT_ONCE)).job(1, 1, 1);
    cluster.after(Duration.ofDays(30)).node("n1", "A").schedule();
    cluster.terms(takes(500)).job(2, 1, 1);
    runs(cluster, "n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void a_long_job_that_has_waited_for_days_starts_before_shorter_ones_and_leaves_for_none() {
    cluster.terms(takes(60)).node("n1", "A").job(1, 1, 1).schedule();
    cluster.terms(takes(100).with(draft -> draft.preemption = AT_ONCE)).job(2, 1, 1);
    cluster.after(Duration.ofHours(34)).terms(takes(1)).job(3, 1, 1);
    cluster.reported("n1", exitedAfter("1.0.1", 60 * MINUTE)).schedule();
    assertEquals("n1[A]", cluster.place("2.0"));
    cluster.terms(takes(1)).job(4, 1, 1);
    runs(cluster, "n1", "2.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("2.0"));
  }

  @Test
  void capacity_is_kept_for_the_one_that_has_waited_too_long_though_others_are_more_urgent() {
    cluster.terms(takes(600)).node("n1", "A", "B").job(1, 1, 1).schedule();
    cluster.terms(takes(60)).job(2, 1, 2);
    cluster.after(Duration.ofHours(47)).terms(takes(1)).job(3, 1, 1).schedule();
    assertEquals("-", cluster.place("3.0"));
    assertEquals(
        List.of("n1"),
        cluster.tasks.whyWaiting(TaskId.parse("3.0"), cluster.now()).stream()
            .map(WaitReason.HeldForOther.class::cast)
            .map(WaitReason.HeldForOther::node)
            .toList());
  }

  @Test
  void time_that_a_job_was_held_is_not_waiting() {
    cluster.terms(takes(600)).job(1, 1, 1).hold(1).after(Duration.ofDays(300)).release(1);
    cluster.terms(takes(5)).node("n1", "A").job(2, 1, 1).schedule();
    assertEquals("n1[A]", cluster.place("2.0"));
  }
}
