package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.killed;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.notBegun;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the members of a gang do for each other. */
class GangTransitionsTest {
  private static final JobId ONE = new JobId(1);
  private static final ResourceRequest A_CORE = new ResourceRequest(1, 0);

  private final TestCluster cluster = new TestCluster().commands().node("n1").node("n2");

  private static JobTerms gang(GangTerms.Failure failure, int retries) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, retries, null)
        .with(draft -> draft.gang = new GangTerms(true, failure, false, List.of()));
  }

  /** A gang of three tasks, of which two are on n1, started and running. */
  private void runs(GangTerms.Failure failure, int retries) {
    cluster.terms(gang(failure, retries)).job(1, 3, new ResourceRequest(2, 0)).schedule();
    assertEquals(List.of("n1[]", "n1[]", "n2[]"), cluster.places("1.0", "1.1", "1.2"));
    cluster.reported("n1", running("1.0.1"), running("1.1.1")).reported("n2", running("1.2.1"));
  }

  private GangStart start(long job) {
    return cluster.tasks.live(new JobId(job)).orElseThrow().gangStart();
  }

  private List<TaskState> states() {
    return cluster.tasks.of(ONE).stream().map(task -> task.state()).toList();
  }

  @Test
  void a_node_that_is_gone_is_one_failure_of_its_gang_however_many_members_it_had() {
    runs(GangTerms.Failure.RESTART, 1);
    cluster.silent("n1").nodeGone("n1");
    assertEquals(1, start(1).failures());
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING, TaskState.STOPPING), states());
  }

  @Test
  void members_of_a_silent_node_that_end_after_another_has_failed_count_no_second_time() {
    runs(GangTerms.Failure.RESTART, 1);
    cluster.silent("n1").reported("n2", exited("1.2.1", 3));
    cluster.node("n1").joined("n1", exited("1.0.1", 1), exited("1.1.1", 1));
    assertEquals(1, start(1).failures());
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING, TaskState.WAITING), states());
  }

  @Test
  void a_member_that_fails_ends_the_others_and_is_named() {
    runs(GangTerms.Failure.FAIL, 0);
    cluster.reported("n1", exited("1.0.1", 0), exited("1.1.1", 3));
    assertEquals(List.of(TaskState.SUCCEEDED, TaskState.FAILED, TaskState.ENDING), states());
    assertEquals("task 1.1 of its gang failed", cluster.task("1.2").cause());
    cluster.reported("n2", left("1.2.1"));
    assertEquals(TaskState.FAILED, cluster.tasks.stateOf(ONE).orElseThrow());
    assertEquals(
        "1.1: exit code 3", cluster.tasks.live(ONE).orElseThrow().reason(TaskState.FAILED));
  }

  @Test
  void members_that_take_too_long_to_end_are_killed_after_three_seconds() {
    runs(GangTerms.Failure.FAIL, 0);
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 3));
    cluster.after(Duration.ofMillis(2999));
    assertEquals(Map.of(), cluster.tasks.overdueMembers(cluster.now()));
    cluster.after(Duration.ofMillis(1));
    assertEquals(
        Map.of(
            "n1", List.of(AttemptId.parse("1.0.1")),
            "n2", List.of(AttemptId.parse("1.2.1"))),
        cluster.tasks.overdueMembers(cluster.now()));
    cluster.reported("n1", killed("1.0.1")).reported("n2", killed("1.2.1"));
    assertEquals(Map.of(), cluster.tasks.overdueMembers(cluster.now()));
  }

  @Test
  void members_of_a_cancelled_gang_keep_their_grace() {
    runs(GangTerms.Failure.FAIL, 0);
    cluster.cancel(1).after(Duration.ofSeconds(9));
    assertEquals(Map.of(), cluster.tasks.overdueMembers(cluster.now()));
  }

  @Test
  void others_go_on_if_failures_are_ignored() {
    runs(GangTerms.Failure.IGNORE, 0);
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 3)).tick();
    assertEquals(List.of(TaskState.RUNNING, TaskState.FAILED, TaskState.RUNNING), states());
  }

  @Test
  void a_member_that_its_node_does_not_start_has_all_start_again_also_if_failures_are_ignored() {
    cluster
        .terms(gang(GangTerms.Failure.IGNORE, 0))
        .job(1, 3, new ResourceRequest(2, 0))
        .schedule();
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 0));
    cluster.reported("n2", notBegun("1.2.1")).after(Duration.ofSeconds(9)).schedule();
    assertEquals(List.of(TaskState.STOPPING, TaskState.WAITING, TaskState.WAITING), states());
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.STARTING, TaskState.STARTING), states());
    assertEquals("1.1.2", cluster.placed("1.1").attemptId().toString());
    assertEquals(2, start(1).number());
  }

  @Test
  void what_failed_is_left_alone_when_the_others_leave_and_start_again_together() {
    runs(GangTerms.Failure.IGNORE, 0);
    GangStart first = start(1);
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 3)).leave(1);
    cluster.reported("n1", left("1.0.1")).after(Duration.ofSeconds(9)).schedule().tick();
    assertEquals(List.of(TaskState.WAITING, TaskState.FAILED, TaskState.STOPPING), states());
    assertEquals(
        List.of(new WaitReason.MembersLeave(1)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
    cluster.reported("n2", left("1.2.1")).schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.FAILED, TaskState.STARTING), states());
    assertEquals(2, start(1).number());
    assertEquals(first.members().get(1), start(1).members().get(1));
    assertNotEquals(first.masterPort(), start(1).masterPort());
    cluster.reported("n1", exited("1.0.2", 0), exited("1.2.2", 0));
    assertEquals(TaskState.FAILED, cluster.tasks.stateOf(ONE).orElseThrow());
  }

  @Test
  void members_that_have_left_start_all_or_none_if_failures_are_ignored() {
    runs(GangTerms.Failure.IGNORE, 0);
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 3)).leave(1);
    cluster.reported("n1", left("1.0.1")).reported("n2", left("1.2.1"));
    cluster.terms(new JobTerms(false, PlacementPolicy.PACK, 1, List.of(), 0, 0, null));
    cluster.job(2, 1, new ResourceRequest(4, 0)).job(3, 1, A_CORE).job(4, 1, A_CORE).schedule();
    assertEquals(List.of(TaskState.WAITING, TaskState.FAILED, TaskState.WAITING), states());
    assertEquals(List.of("-", "-"), cluster.places("1.0", "1.2"));
  }

  @Test
  void all_start_again_when_one_fails_but_not_before_all_have_left() {
    runs(GangTerms.Failure.RESTART, 2);
    assertEquals(1, start(1).number());
    cluster.reported("n1", exited("1.0.1", 0), exited("1.1.1", 3));
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING, TaskState.STOPPING), states());
    cluster.after(Duration.ofSeconds(9)).schedule();
    assertEquals(List.of("-", "-", "n2[]"), cluster.places("1.0", "1.1", "1.2"));
    assertEquals(
        List.of(new WaitReason.MembersLeave(1)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
    assertEquals(
        "its gang starts again, because of task 1.1: exit code 3", cluster.task("1.2").cause());
    cluster.reported("n2", exited("1.2.1", 9)).schedule();
    assertEquals(
        List.of("1.0.2", "1.1.2", "1.2.2"),
        IntStream.range(0, 3).mapToObj(i -> cluster.placed("1." + i).attemptId() + "").toList());
    assertEquals(2, start(1).number());
    assertEquals(1, start(1).failures());
    assertEquals(0, cluster.task("1.2").preemptions());
  }

  @Test
  void after_its_last_start_a_failure_is_final() {
    runs(GangTerms.Failure.RESTART, 1);
    cluster.reported("n2", exited("1.2.1", 3));
    cluster.reported("n1", left("1.0.1"), left("1.1.1"));
    cluster.after(Duration.ofSeconds(9)).schedule();
    cluster.reported("n1", running("1.0.2"), exited("1.1.2", 4));
    assertEquals(List.of(TaskState.ENDING, TaskState.FAILED, TaskState.ENDING), states());
  }

  @Test
  void a_member_that_its_node_does_not_start_has_all_start_again_without_a_failure() {
    cluster.terms(gang(GangTerms.Failure.FAIL, 0)).job(1, 3, new ResourceRequest(2, 0)).schedule();
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 0));
    cluster.reported("n2", notBegun("1.2.1"));
    assertEquals(List.of(TaskState.STOPPING, TaskState.WAITING, TaskState.WAITING), states());
    cluster.reported("n1", left("1.0.1")).after(Duration.ofSeconds(9)).schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.STARTING, TaskState.STARTING), states());
    assertEquals("1.1.2", cluster.placed("1.1").attemptId().toString());
    assertEquals(0, start(1).failures());
    assertEquals(2, start(1).number());
  }

  @Test
  void a_member_on_a_silent_node_is_stopped_when_the_node_is_back() {
    runs(GangTerms.Failure.RESTART, 2);
    cluster.silent("n2");
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 3));
    cluster.reported("n1", left("1.0.1")).after(Duration.ofSeconds(9)).schedule();
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING, TaskState.UNKNOWN), states());
    cluster.node("n2").joined("n2", running("1.2.1")).tick();
    assertEquals(TaskState.STOPPING, cluster.state("1.2"));
    cluster.reported("n2", left("1.2.1")).schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.STARTING, TaskState.STARTING), states());
  }

  @Test
  void no_port_is_given_twice_to_gangs_on_one_machine() {
    cluster.terms(gang(GangTerms.Failure.FAIL, 0));
    for (int job = 1; job <= 8; job++) {
      cluster.job(job, 2, new ResourceRequest(0, 0));
    }
    cluster.schedule();
    Set<Integer> ports = new HashSet<>();
    for (int job = 1; job <= 8; job++) {
      assertTrue(ports.add(start(job).masterPort()), "job " + job);
      start(job).members().forEach(member -> assertTrue(ports.add(member.port()), member + ""));
    }
    assertEquals(24, ports.size());
  }

  @Test
  void each_start_of_a_gang_has_other_ports() {
    runs(GangTerms.Failure.RESTART, 2);
    int before = start(1).masterPort();
    cluster.reported("n2", exited("1.2.1", 3));
    cluster.reported("n1", left("1.0.1"), left("1.1.1")).after(Duration.ofSeconds(9)).schedule();
    assertNotEquals(before, start(1).masterPort());
  }

  @Test
  void at_most_so_many_tasks_of_an_array_run_at_once() {
    cluster.terms(JobTerms.USUAL.with(draft -> draft.maxRunning = 2)).job(1, 5, A_CORE).schedule();
    assertEquals(List.of("n1[]", "n1[]", "-"), cluster.places("1.0", "1.1", "1.2"));
    assertEquals(
        List.of(new WaitReason.EnoughRunning(2)),
        cluster.tasks.whyWaiting(TaskId.parse("1.2"), cluster.now()));
    cluster.reported("n1", exited("1.0.1", 0), running("1.1.1")).schedule();
    assertEquals(List.of("-", "n1[]", "n1[]", "-"), cluster.places("1.0", "1.1", "1.2", "1.3"));
  }

  @Test
  void roles_that_do_not_start_together_have_their_own_limits_and_needs() {
    List<GangRoleSpec> roles =
        List.of(
            new GangRoleSpec("big", 1, 1, 0, new ResourceRequest(3, 0)),
            new GangRoleSpec("small", 2, 2, 1, A_CORE));
    GangTerms terms = new GangTerms(false, GangTerms.Failure.FAIL, false, roles);
    cluster
        .terms(JobTerms.USUAL.with(draft -> draft.gang = terms))
        .job(1, 5, new ResourceRequest(3, 0))
        .schedule();
    assertEquals(
        List.of("n1[]", "n1[]", "-", "n2[]", "-"),
        cluster.places("1.0", "1.1", "1.2", "1.3", "1.4"));
    cluster.reported("n1", running("1.0.1"), exited("1.1.1", 0)).schedule();
    assertEquals("n1[]", cluster.place("1.2"));
    cluster.reported("n1", running("1.0.1"), exited("1.2.1", 1));
    assertEquals(TaskState.CANCELLED, cluster.state("1.4"), "one that fails ends the others");
  }
}
