package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.cannotStart;
import static io.remuda.coordinator.registry.TaskReports.ending;
import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.killed;
import static io.remuda.coordinator.registry.TaskReports.refused;
import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.starting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.registry.task.WorkerEventAcceptance;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskRegistryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final TestCluster cluster = new TestCluster();

  /** One task with a GPU that runs on n1, and a second node. */
  private TestCluster oneRunning() {
    return cluster
        .node("n1", "A")
        .node("n2", "B")
        .job(1, 1, 1)
        .schedule()
        .reported("n1", running("1.0.1"));
  }

  @Test
  void tasks_are_placed_on_nodes_in_turn_with_a_device_each() {
    cluster.node("n1", "A", "B").node("n2", "C").job(1, 3, 1).schedule();
    assertEquals(List.of("n1[A]", "n2[C]", "n1[B]"), cluster.places("1.0", "1.1", "1.2"));
    assertEquals(List.of("1.0.1", "1.2.1"), cluster.orders("n1"));
    assertEquals(List.of("1.1.1"), cluster.orders("n2"));
  }

  @Test
  void the_first_task_that_waits_is_known_whatever_ended_or_waits_again_meanwhile() {
    cluster.commands().node("n1", "A", "B").job(1, 4, 1).schedule();
    assertEquals(TaskId.parse("1.2"), firstBefore());
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1")).schedule();
    assertEquals(TaskId.parse("1.3"), firstBefore());
    cluster.reported("n1", refused("1.2.1", "A"), running("1.1.1"));
    assertEquals(TaskId.parse("1.2"), firstBefore());
    cluster.after(SECOND).schedule();
    cluster.reported("n1", exited("1.1.1", 0)).after(SECOND).schedule();
    assertNull(firstBefore());
  }

  private TaskId firstBefore() {
    TaskRecord first = cluster.tasks.live(new JobId(1)).orElseThrow().firstBefore();
    return first == null ? null : first.id();
  }

  @Test
  void the_round_goes_on_where_the_last_cycle_ended() {
    cluster.node("n1").node("n2").job(1, 1, 0).schedule().job(2, 1, 0).schedule();
    assertEquals(List.of("n1[]", "n1[]"), cluster.places("1.0", "2.0"));
    cluster.reported("n1", killed("1.0.1"), running("2.0.1")).after(SECOND).schedule();
    assertEquals("n2[]", cluster.place("1.0"));
  }

  @Test
  void an_order_says_all_that_the_node_must_know() {
    cluster.node("n1", "A").job(1, 1, 1).job(2, 1, 0).schedule();
    TaskStartOrder gpu = cluster.taskOrders("n1").get(0);
    assertEquals(AttemptId.parse("1.0.1"), gpu.attempt());
    assertEquals("ann", gpu.user());
    assertTrue(gpu.tied());
    assertEquals(List.of(new DeviceId("A")), gpu.devices());
    assertTrue(gpu.cuda());
    assertFalse(cluster.taskOrders("n1").get(1).cuda());
  }

  @Test
  void a_task_that_waits_says_why_node_by_node() {
    cluster.node("n1", "A").node("n2").job(1, 2, 1).schedule();
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n2", 1, 0, 0),
            new WaitReason.TooFewFreeGpus("n1", 1, 0, 1)),
        cluster.tasks.waiting().get(TaskId.parse("1.1")));
  }

  @Test
  void a_killed_worker_is_tried_again_after_a_pause() {
    oneRunning().reported("n1", killed("1.0.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals("signal 9", cluster.lastChange().cause());
    assertTrue(cluster.lastChange().releases());
    cluster.schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofMillis(100)).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n2"));
  }

  @Test
  void the_pause_doubles_up_to_its_limit() {
    RetryPolicy policy = TestCluster.PATIENT;
    assertEquals(Duration.ofMillis(100).toNanos(), policy.delayNanos(0));
    assertEquals(Duration.ofMillis(200).toNanos(), policy.delayNanos(1));
    assertEquals(Duration.ofMillis(1600).toNanos(), policy.delayNanos(4));
    assertEquals(Duration.ofSeconds(2).toNanos(), policy.delayNanos(5));
    assertEquals(Duration.ofSeconds(2).toNanos(), policy.delayNanos(1000));
  }

  @Test
  void a_report_of_an_earlier_attempt_changes_nothing() {
    oneRunning().reported("n1", killed("1.0.1")).after(SECOND).schedule();
    assertEquals("n2[B]", cluster.place("1.0"));
    cluster.changes.clear();
    cluster.reported("n1", running("1.0.1")).joined("n1", killed("1.0.1"));
    assertEquals(List.of(), cluster.changes);
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
  }

  @Test
  void a_report_from_another_node_changes_nothing() {
    oneRunning();
    cluster.changes.clear();
    cluster.reported("n2", killed("1.0.1")).joined("n2");
    assertEquals(List.of(), cluster.changes);
    assertEquals("n1[A]", cluster.place("1.0"));
  }

  @Test
  void an_order_that_the_node_has_not_seen_yet_is_not_missing_there() {
    cluster.node("n1", "A").job(1, 1, 1).schedule();
    cluster.reportedAt("n1", cluster.revision("n1") - 1).joined("n1");
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    cluster.reported("n1");
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals("its node no longer has it", cluster.task("1.0").cause());
  }

  @Test
  void a_cancelled_order_that_the_node_has_not_seen_yet_keeps_its_device() {
    cluster.node("n1", "A").job(1, 1, 1).schedule().cancel(1);
    cluster.reportedAt("n1", cluster.revision("n1") - 1);
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals(Set.of(new DeviceId("A")), cluster.lentDevices());
    cluster.reported("n1");
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
  }

  @Test
  void a_running_task_that_its_node_does_not_know_is_tried_again() {
    oneRunning().reported("n1");
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void a_silent_nodes_tasks_are_unknown_and_not_restarted_until_the_contact_deadline_has_passed() {
    oneRunning().silent("n1");
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    cluster.after(Duration.ofSeconds(10)).tick().schedule();
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    assertEquals(Set.of(new DeviceId("A")), cluster.lentDevices());
    cluster.after(Duration.ofNanos(1)).tick();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals("its node was silent beyond the contact deadline", cluster.task("1.0").cause());
    cluster.after(SECOND).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n2"));
  }

  @Test
  void silence_counts_from_its_beginning() {
    oneRunning().silent("n1").after(Duration.ofSeconds(8)).silent("n1");
    cluster.after(Duration.ofSeconds(3)).tick();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void an_adopted_task_goes_back_to_running() {
    oneRunning().silent("n1").after(Duration.ofSeconds(9)).joined("n1", running("1.0.1"));
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    assertEquals(1, cluster.task("1.0").attempt());
    cluster.after(Duration.ofSeconds(9)).tick();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void a_node_that_comes_back_without_its_task_has_it_tried_again_at_once() {
    oneRunning().silent("n1").joined("n1");
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void a_result_told_before_the_silence_counts() {
    oneRunning().told("1.0.1", 1, new WorkerEvent.PoolDone(3)).silent("n1");
    cluster.after(Duration.ofSeconds(11)).tick();
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }

  @Test
  void a_worker_that_crashes_too_often_is_given_up() {
    cluster.node("n1").job(1, 1, 0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertEquals(TaskState.WAITING, cluster.state("1.0"));
      cluster.after(Duration.ofSeconds(3)).schedule();
      cluster.reported("n1", exited("1.0." + attempt, 134));
    }
    assertEquals(TaskState.LOST, cluster.state("1.0"));
    assertEquals("exit code 134", cluster.lastChange().cause());
    cluster.after(Duration.ofHours(1)).schedule();
    assertEquals(List.of(), cluster.orders("n1"));
  }

  @Test
  void interruptions_from_outside_are_forgiven_more_often_than_crashes() {
    cluster.node("n1").job(1, 1, 0);
    for (int attempt = 1; attempt <= 20; attempt++) {
      assertEquals(TaskState.WAITING, cluster.state("1.0"), "before attempt " + attempt);
      cluster.after(Duration.ofSeconds(3)).schedule().reported("n1", killed("1.0." + attempt));
    }
    assertEquals(TaskState.LOST, cluster.state("1.0"));
  }

  @Test
  void a_workload_that_failed_by_itself_is_not_tried_again() {
    oneRunning().told("1.0.1", 1, new WorkerEvent.Failed("DataException: no file"));
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    cluster.reported("n1", exited("1.0.1", 0));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    assertEquals("DataException: no file", cluster.lastChange().cause());
    assertEquals(Set.of(), cluster.lentDevices());
  }

  @Test
  void a_worker_that_is_killed_after_its_result_has_succeeded() {
    oneRunning().told("1.0.1", 1, new WorkerEvent.Trained(0.5, 0.02, 99.1));
    cluster.reported("n1", killed("1.0.1"));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }

  @Test
  void a_refused_device_is_avoided_for_a_while() {
    cluster.node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", refused("1.0.1", "device A is held by another server"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofMillis(1999)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofMillis(1)).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
    assertEquals(2, cluster.task("1.0").attempt());
  }

  @Test
  void a_refusal_is_no_interruption_and_another_device_is_taken_at_once() {
    cluster.node("n1", "A", "B").job(1, 1, 1).schedule();
    cluster.reported("n1", refused("1.0.1", "busy")).schedule();
    assertEquals("n1[B]", cluster.place("1.0"));
    assertEquals(0, cluster.task("1.0").interruptions());
  }

  @Test
  void a_process_that_cannot_be_started_counts_as_a_crash_and_avoids_no_device() {
    cluster.node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", cannotStart("1.0.1", "no such file"));
    assertEquals(1, cluster.task("1.0").crashes());
    assertEquals("no such file", cluster.task("1.0").cause());
    cluster.after(Duration.ofMillis(100)).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
  }

  @Test
  void an_unhealthy_device_is_not_lent() {
    cluster.node("n1", "A", "B");
    cluster.nodes.sampled(Samples.with("n1", "A"));
    cluster.job(1, 1, 1).schedule();
    assertEquals("n1[B]", cluster.place("1.0"));
  }

  @Test
  void a_device_that_two_nodes_see_is_lent_once() {
    cluster.node("n1", "A").node("n2", "A").job(1, 1, 1).schedule().job(2, 1, 1).schedule();
    assertEquals(List.of("n1[A]", "-"), cluster.places("1.0", "2.0"));
  }

  @Test
  void memory_that_a_task_asked_for_is_free_again_when_it_has_ended() {
    ResourceRequest most = new ResourceRequest(1, 0, 5L << 30); // the node has 8 GiB
    cluster.node("n1").job(1, 1, most).schedule().job(2, 1, most).schedule();
    assertEquals(List.of("n1[]", "-"), cluster.places("1.0", "2.0"));
    assertEquals(
        List.of(new WaitReason.TooLittleMemory("n1", 5L << 30, 3L << 30, 8L << 30)),
        cluster.tasks.waiting().get(TaskId.parse("2.0")));
    cluster.cancel(1);
    cluster.reported("n1").schedule();
    assertEquals("n1[]", cluster.place("2.0"));
  }

  @Test
  void a_cancelled_task_ends_where_it_runs_and_gives_its_device_back() {
    oneRunning().cancel(1);
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals(List.of(), cluster.orders("n1"));
    cluster.reported("n1", ending("1.0.1"));
    assertEquals(Set.of(new DeviceId("A")), cluster.lentDevices());
    cluster.reported("n1", killed("1.0.1"));
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    assertEquals(Set.of(), cluster.lentDevices());
  }

  @Test
  void a_cancelled_task_whose_node_stays_silent_is_gone_after_the_contact_deadline() {
    oneRunning().cancel(1).silent("n1").after(Duration.ofSeconds(11)).tick();
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
  }

  @Test
  void a_cancelled_task_whose_node_is_heard_again_is_waited_for() {
    oneRunning().cancel(1).silent("n1").after(Duration.ofSeconds(5));
    cluster.joined("n1", ending("1.0.1")).after(Duration.ofSeconds(9)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
  }

  @Test
  void a_task_that_was_never_placed_is_cancelled_at_once_and_an_ended_one_stays() {
    cluster.node("n1").job(1, 1, 1).schedule().cancel(1);
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    cluster.changes.clear();
    cluster.cancel(1);
    assertEquals(List.of(), cluster.changes);
  }

  @Test
  void events_are_taken_once_and_in_order() {
    oneRunning();
    AttemptId attempt = AttemptId.parse("1.0.1");
    WorkerEvent said = new WorkerEvent.Said("hello");
    assertEquals(WorkerEventAcceptance.DROPPED, cluster.tasks.heard(attempt, 2, said));
    assertEquals(WorkerEventAcceptance.NEW, cluster.tasks.heard(attempt, 1, said));
    assertEquals(WorkerEventAcceptance.REPEATED, cluster.tasks.heard(attempt, 1, said));
    assertEquals(WorkerEventAcceptance.NEW, cluster.tasks.heard(attempt, 2, said));
    assertEquals(WorkerEventAcceptance.REPEATED, cluster.tasks.heard(attempt, 1, said));
  }

  @Test
  void events_of_another_attempt_are_dropped() {
    oneRunning().reported("n1", killed("1.0.1"));
    WorkerEvent said = new WorkerEvent.Said("hello");
    assertEquals(
        WorkerEventAcceptance.DROPPED, cluster.tasks.heard(AttemptId.parse("1.0.1"), 1, said));
    cluster.after(SECOND).schedule();
    assertEquals(
        WorkerEventAcceptance.DROPPED, cluster.tasks.heard(AttemptId.parse("1.0.1"), 1, said));
    assertEquals(WorkerEventAcceptance.NEW, cluster.tasks.heard(AttemptId.parse("1.0.2"), 1, said));
    assertEquals(
        WorkerEventAcceptance.DROPPED, cluster.tasks.heard(AttemptId.parse("7.0.1"), 1, said));
  }

  @Test
  void a_new_attempt_forgets_what_the_one_before_said() {
    oneRunning().told("1.0.1", 1, new WorkerEvent.Said("x")).reported("n1", killed("1.0.1"));
    cluster.after(SECOND).schedule();
    assertEquals(0, cluster.placed("1.0").progress().lastSequence());
    cluster.reported("n2", starting("1.0.2")).reported("n2", running("1.0.2"));
    cluster.told("1.0.2", 1, new WorkerEvent.PoolDone(0)).reported("n2", exited("1.0.2", 0));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }
}
