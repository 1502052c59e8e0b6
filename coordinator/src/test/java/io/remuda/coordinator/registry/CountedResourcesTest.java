package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A cluster with two licences. */
class CountedResourcesTest {

  private final TestCluster cluster =
      new TestCluster(
              new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
              new SchedulingSettings(
                  Duration.ofMinutes(1),
                  Duration.ofDays(1),
                  Duration.ZERO,
                  Duration.ZERO,
                  SchedulingSettings.Claims.PRIORITY,
                  Map.of("lic", 2L)))
          .commands();

  private static ResourceRequest licences(long count) {
    return new ResourceRequest(0, 0)
        .withNode(
            new NodeConstraints(
                new TreeSet<>(), new TreeSet<>(), new TreeMap<>(Map.of("lic", count))));
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  @Test
  void a_task_that_ends_gives_its_licences_back() {
    cluster.node("n1").node("n2").job(1, 3, licences(1)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.2"));
    String node = cluster.placed("1.0").place().node();
    cluster.reported(node, exited("1.0.1", 0)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.2"));
  }

  @Test
  void who_waits_is_told_how_many_are_free_and_who_holds_the_others() {
    cluster.node("n1").job(1, 1, licences(1)).schedule().job(2, 1, licences(2)).schedule();
    assertEquals(
        List.of(
            new WaitReason.TooFewInCluster("lic", 2, 1, 2),
            new WaitReason.CountedHeldBy("lic", List.of(TaskId.parse("1.0")))),
        why("2.0"));
  }

  @Test
  void a_silent_node_keeps_its_licences() {
    cluster.node("n1").node("n2").job(1, 1, licences(2)).schedule();
    String node = cluster.placed("1.0").place().node();
    cluster.reported(node, running("1.0.1")).silent(node).job(2, 1, licences(1)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  void a_preemptible_task_leaves_for_its_licence() {
    PreemptionTerms atOnce = new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000);
    JobTerms low = JobTerms.placed(PlacementPolicy.PACK).with(draft -> draft.preemption = atOnce);
    cluster.node("n1").terms(low).job(1, 2, licences(1)).schedule();
    cluster.reported("n1", running("1.0.1"), running("1.1.1"));
    cluster.terms(new JobTerms(false, PlacementPolicy.PACK, 5, List.of(), 0, 0, null));
    cluster.job(2, 1, licences(1)).after(Duration.ofSeconds(1)).schedule();
    TaskId asked =
        List.of("1.0", "1.1").stream()
            .filter(task -> cluster.state(task) == TaskState.STOPPING)
            .map(TaskId::parse)
            .findFirst()
            .orElseThrow();
    cluster.reported("n1", left(asked + ".1")).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
  }
}
