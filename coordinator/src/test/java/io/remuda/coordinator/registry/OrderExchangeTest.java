package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.left;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
}
