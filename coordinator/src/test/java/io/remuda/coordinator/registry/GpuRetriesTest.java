package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where tasks go that have failed on a GPU, and what becomes of a GPU on which they fail. */
class GpuRetriesTest {
  private final TestCluster cluster = new TestCluster().commands();

  /** Since when attempts run, on the clock of the cluster. */
  private final Map<String, Long> since = new HashMap<>();

  private static JobTerms retries(int count) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, count, null);
  }

  private void fails(String node, String attempt) {
    cluster.reported(node, running(attempt)).after(Duration.ofMillis(20));
    cluster.reported(node, exited(attempt, 1)).after(Duration.ofSeconds(3)).schedule();
  }

  @Test
  void a_task_that_failed_on_a_gpu_is_tried_on_another_and_then_where_there_is_one() {
    cluster.terms(retries(3)).node("n1", "A", "B").job(1, 1, 1).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
    fails("n1", "1.0.1");
    assertEquals("n1[B]", cluster.place("1.0"));
    fails("n1", "1.0.2");
    assertTrue(cluster.place("1.0").startsWith("n1["), "it is not kept from what there is");
  }

  @Test
  void a_task_that_failed_on_a_gpu_is_tried_on_another_node_if_there_is_one() {
    cluster.terms(retries(3)).node("n1", "A", "B").node("n2", "C").job(1, 1, 1).schedule();
    String first = cluster.place("1.0");
    fails(first.substring(0, 2), "1.0.1");
    assertTrue(!cluster.place("1.0").startsWith(first.substring(0, 2)), cluster.place("1.0"));
  }

  /** Lets programs begin, fail at once on a GPU, and take a second elsewhere, for half a second. */
  private void passes(String bad) {
    cluster.schedule();
    List<TaskReport> reports = new ArrayList<>();
    for (PlacedTask task : cluster.tasks.placed()) {
      String attempt = task.attemptId().toString();
      boolean isBad = task.place().devices().get(0).uuid().equals(bad);
      long began = since.computeIfAbsent(attempt, any -> cluster.now());
      boolean done = cluster.now() - began >= Duration.ofSeconds(1).toNanos();
      if (task.state() == TaskState.STARTING) {
        reports.add(running(attempt));
      } else {
        reports.add(isBad ? exited(attempt, 1) : done ? exited(attempt, 0) : running(attempt));
      }
    }
    cluster.reported("n1", reports.toArray(TaskReport[]::new)).after(Duration.ofMillis(100));
  }

  private long failed() {
    return cluster.changes.stream().filter(one -> one.to() == TaskState.FAILED).count();
  }

  @Test
  void an_array_loses_few_of_its_tasks_to_a_gpu_on_which_all_fail() {
    cluster.terms(retries(0)).node("n1", "A", "B").job(1, 20, 1);
    for (int i = 0; i < 100; i++) {
      passes("A");
    }
    assertTrue(failed() <= 5, failed() + " failed");
    assertEquals(
        Standing.RESTING,
        cluster
            .tasks
            .offers(cluster.nodes.all(), cluster.now())
            .get(0)
            .devices()
            .get(0)
            .standing());
    assertTrue(
        cluster.tasks.whyWaiting(TaskId.parse("1.19"), cluster.now()).stream()
            .anyMatch(WaitReason.GpusResting.class::isInstance));
  }

  @Test
  void a_gpu_that_rested_is_used_again_when_it_is_sound() {
    cluster.terms(retries(0)).node("n1", "A", "B").job(1, 200, 1);
    for (int i = 0; i < 50; i++) {
      passes("A");
    }
    cluster.after(Duration.ofSeconds(30));
    for (int i = 0; i < 50; i++) {
      passes("none");
    }
    assertEquals(
        2, cluster.tasks.placed().stream().map(task -> task.place().devices()).distinct().count());
  }

  @Test
  void a_program_that_fails_on_all_gpus_keeps_none_from_the_queue() {
    cluster.terms(retries(0)).node("n1", "A", "B").job(1, 20, 1);
    for (int i = 0; i < 60; i++) {
      cluster.schedule();
      List<TaskReport> reports = new ArrayList<>();
      for (PlacedTask task : cluster.tasks.placed()) {
        String attempt = task.attemptId().toString();
        reports.add(task.state() == TaskState.STARTING ? running(attempt) : exited(attempt, 1));
      }
      cluster.reported("n1", reports.toArray(TaskReport[]::new)).after(Duration.ofMillis(100));
    }
    assertEquals(20, failed());
  }
}
