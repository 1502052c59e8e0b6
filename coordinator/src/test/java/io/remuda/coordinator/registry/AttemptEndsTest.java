package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.RegistryParts.NOW;
import static io.remuda.coordinator.registry.RegistryParts.RETRY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the end of an attempt makes of its task, by what ended it and what was asked of it. */
class AttemptEndsTest {
  private static final JobId ONE = new JobId(1);
  private static final long LATER = NOW + Duration.ofSeconds(90).toNanos();
  private static final TaskEnd SIGTERM = TaskReports.terminated("1.0.1").end();

  private final RegistryParts parts = new RegistryParts();
  private final AttemptEnds ends =
      new AttemptEnds(
          parts.table,
          parts.transitions,
          RETRY,
          parts.durations,
          parts.offers,
          parts.profileUpdates,
          parts.failingNodes,
          new TrainingEpochReportHandler(parts.table, parts.transitions, parts.profileUpdates));

  private static TaskEnd exit(int code) {
    return new TaskEnd(TaskEnd.Kind.BY_ITSELF, code, null, "exit code " + code, null, null, 7000L);
  }

  private static TaskEnd because(TaskEnd.Kind kind) {
    return TaskEnd.because(kind, "so it is");
  }

  private static JobTerms retries(int count) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, count, null);
  }

  private static JobTerms gang(GangTerms.Failure failure, int retries) {
    return retries(retries)
        .with(draft -> draft.gang = new GangTerms(true, failure, false, List.of()));
  }

  /** The only task of job 1 runs on n1. */
  private void runs() {
    parts.job(1, 1).running("n1", "1.0");
  }

  private void starts() {
    parts.job(1, 1).starting("n1", List.of("A"), "1.0");
  }

  private void asked(TaskTrigger how) {
    parts.transitions.fire(parts.placed("1.0").because("asked"), how, NOW);
  }

  private TaskState ended(TaskEnd end) {
    ends.ended(parts.placed("1.0"), end, LATER);
    return parts.state("1.0");
  }

  private TaskState refused(TaskEnd.Kind kind) {
    ends.refused(parts.placed("1.0"), because(kind), NOW);
    return parts.state("1.0");
  }

  private String cause() {
    return parts.task("1.0").cause();
  }

  /** How long the task waits before its next attempt. */
  private Duration pause(long since) {
    return Duration.ofNanos(parts.pending("1.0").notBefore() - since);
  }

  @Test
  void the_exit_code_of_a_command_is_its_result() {
    parts.job(1, 2).running("n1", "1.0", "1.1");
    ends.ended(parts.placed("1.0"), exit(0), LATER);
    ends.ended(parts.placed("1.1"), exit(3), LATER);
    assertEquals(List.of(TaskState.SUCCEEDED, TaskState.FAILED), parts.states("1.0", "1.1"));
    assertEquals("exit code 3", parts.task("1.1").cause());
  }

  @Test
  void a_command_that_something_else_has_ended_is_lost_without_retries() {
    runs();
    assertEquals(TaskState.LOST, ended(because(TaskEnd.Kind.KEEPER_GONE)));
  }

  @Test
  void each_retry_waits_twice_as_long_as_the_one_before_and_after_the_last_it_has_failed() {
    parts.jobs.terms(retries(2));
    runs();
    assertEquals(TaskState.WAITING, ended(exit(3)));
    assertEquals(RETRY.firstDelay(), pause(LATER));
    parts.running("n1", "1.0");
    assertEquals(TaskState.WAITING, ended(because(TaskEnd.Kind.CONTACT_LOST)));
    assertEquals(RETRY.firstDelay().multipliedBy(2), pause(LATER));
    parts.running("n1", "1.0");
    assertEquals(TaskState.FAILED, ended(exit(3)));
  }

  @Test
  void how_long_a_command_ran_is_known_and_of_the_program_of_a_lease_it_says_nothing() {
    runs();
    ended(exit(0));
    assertEquals(OptionalLong.of(7000), parts.durations.millis(ONE));
    parts.jobs.leases();
    parts.job(2, 1).running("n1", "2.0");
    ends.ended(parts.placed("2.0"), exit(0), LATER);
    assertEquals(OptionalLong.empty(), parts.durations.millis(new JobId(2)));
  }

  @Test
  void a_command_that_lacked_memory_waits_for_more_and_no_retry_is_used() {
    NodeRegistry nodes = new NodeRegistry();
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
    parts.offers.of(nodes.all(), NOW);
    parts.job(parts.jobs.spec(1, 1, new ResourceRequest(1, 0, 1L << 30))).running("n1", "1.0");
    assertEquals(TaskState.WAITING, ended(TaskReports.tookMore("1.0.1").end()));
    assertEquals(3L << 29, parts.task("1.0").floor().memory());
    assertEquals(0, parts.task("1.0").interruptions());
    assertEquals(Duration.ZERO, pause(LATER));
    parts.running("n1", "1.0");
    assertEquals(TaskState.FAILED, ended(exit(3)));
    assertEquals("exit code 3, with 1536 MiB of memory after less was too little", cause());
  }

  @Test
  void a_worker_has_the_result_that_it_has_told_whatever_its_exit_code() {
    parts.jobs.tiedConvolutions();
    parts.job(1, 2).running("n1", "1.0", "1.1");
    parts.table.put(parts.placed("1.0").heard(1, new WorkerEvent.PoolDone(4)));
    parts.table.put(parts.placed("1.1").heard(1, new WorkerEvent.Failed("no data")));
    ends.ended(parts.placed("1.0"), SIGTERM, LATER);
    ends.ended(parts.placed("1.1"), exit(0), LATER);
    assertEquals(List.of(TaskState.SUCCEEDED, TaskState.FAILED), parts.states("1.0", "1.1"));
    assertEquals("no data", parts.task("1.1").cause());
  }

  @Test
  void a_worker_that_has_told_no_result_runs_again_until_it_has_crashed_too_often() {
    parts.jobs.tiedConvolutions();
    runs();
    for (int crash = 1; crash < RETRY.maxCrashes(); crash++) {
      assertEquals(TaskState.WAITING, ended(exit(1)));
      parts.running("n1", "1.0");
    }
    assertEquals(TaskState.LOST, ended(exit(1)));
  }

  @Test
  void what_ends_by_itself_before_it_could_be_cancelled_keeps_its_result() {
    parts.job(1, 3).running("n1", "1.0", "1.1", "1.2").then(TaskTrigger.CANCEL, "1.0", "1.1");
    ends.ended(parts.placed("1.0"), exit(0), LATER);
    ends.ended(parts.placed("1.1"), exit(3), LATER);
    assertEquals(List.of(TaskState.SUCCEEDED, TaskState.FAILED), parts.states("1.0", "1.1"));
    assertEquals("exit code 3", parts.task("1.1").cause());
  }

  @Test
  void what_a_request_has_ended_is_cancelled_for_the_reason_of_the_request() {
    runs();
    asked(TaskTrigger.CANCEL);
    assertEquals(TaskState.CANCELLED, ended(SIGTERM));
    assertEquals("asked", cause());
  }

  @Test
  void what_ends_after_its_time_limit_has_failed_by_it_even_with_exit_code_0() {
    runs();
    parts.transitions.fire(parts.placed("1.0").pastLimit("too long"), TaskTrigger.OVERDUE, NOW);
    assertEquals(TaskState.FAILED, ended(exit(0)));
    assertEquals("too long", cause());
  }

  @Test
  void a_member_that_fails_because_its_gang_ends_is_cancelled_with_it() {
    parts.jobs.terms(gang(GangTerms.Failure.FAIL, 0));
    runs();
    asked(TaskTrigger.CANCEL);
    assertEquals(TaskState.CANCELLED, ended(exit(3)));
    assertEquals("asked", cause());
  }

  @Test
  void a_member_that_fails_has_its_gang_start_again_as_often_as_its_terms_say() {
    parts.jobs.terms(gang(GangTerms.Failure.RESTART, 1));
    runs();
    assertEquals(TaskState.WAITING, ended(exit(3)));
    assertEquals(1, parts.table.job(ONE).gangStart().failures());
    parts.running("n1", "1.0");
    assertEquals(TaskState.FAILED, ended(exit(3)));
  }

  @Test
  void the_retries_of_a_gang_that_fails_as_a_whole_are_not_for_its_members() {
    parts.jobs.terms(gang(GangTerms.Failure.FAIL, 5));
    runs();
    assertEquals(TaskState.FAILED, ended(exit(3)));
  }

  @Test
  void a_task_that_has_left_its_place_waits_again_and_what_it_ran_is_lost() {
    runs();
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.WAITING, ended(because(TaskEnd.Kind.ON_REQUEST)));
    assertEquals(1, parts.task("1.0").preemptions());
    assertEquals(90_000, parts.task("1.0").history().lostMillis());
    assertEquals("asked", cause());
    assertEquals(Duration.ZERO, pause(LATER));
  }

  @Test
  void one_that_ended_by_itself_before_it_could_leave_has_its_result() {
    runs();
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.SUCCEEDED, ended(exit(0)));
  }

  @Test
  void a_member_of_a_gang_that_leaves_waits_with_the_others_even_if_it_had_just_ended() {
    parts.jobs.terms(gang(GangTerms.Failure.FAIL, 0));
    runs();
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.WAITING, ended(exit(0)));
    assertEquals(1, parts.task("1.0").preemptions());
  }

  @Test
  void a_member_that_ended_because_its_gang_starts_again_has_lost_nothing() {
    parts.jobs.terms(gang(GangTerms.Failure.RESTART, 3));
    runs();
    parts.transitions.fire(parts.placed("1.0").startingAgain("again"), TaskTrigger.PREEMPT, NOW);
    assertEquals(TaskState.WAITING, ended(exit(3)));
    assertEquals(0, parts.task("1.0").preemptions());
    assertEquals(0, parts.table.job(ONE).gangStart().failures());
  }

  @Test
  void a_training_that_leaves_between_two_epochs_with_exit_code_0_is_not_done() {
    parts.jobs.terms(JobTerms.USUAL.with(draft -> draft.training = TrainingTerms.of(10)));
    runs();
    parts.table.put(
        parts.placed("1.0").trained(TrainingProgress.after(4, 1000).leaving(true), NOW));
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.WAITING, ended(exit(0)));
  }

  @Test
  void in_an_allocation_a_sigterm_is_left_open_and_its_end_makes_the_task_wait_again() {
    ends.slurm().inAllocation();
    runs();
    assertEquals(List.of(), ends.ended(parts.placed("1.0"), SIGTERM, NOW));
    assertEquals(TaskState.RUNNING, parts.state("1.0"));
    ends.slurm().ends();
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.WAITING, ended(SIGTERM));
  }

  @Test
  void what_was_cancelled_in_an_allocation_that_ends_has_no_result_of_its_own() {
    ends.slurm().inAllocation();
    runs();
    asked(TaskTrigger.CANCEL);
    ends.slurm().ends();
    assertEquals(TaskState.CANCELLED, ended(exit(3)));
  }

  @Test
  void a_device_that_another_process_has_is_avoided_and_costs_the_task_nothing() {
    starts();
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.DEVICE_BUSY));
    assertTrue(parts.offers.wasHeldLately(new DeviceId("A")));
    assertEquals(Duration.ZERO, pause(NOW));
    assertEquals(0, parts.task("1.0").interruptions());
  }

  @Test
  void a_node_without_room_is_noted_and_the_task_waits_for_the_longest_pause() {
    starts();
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.NO_ROOM));
    assertFalse(parts.failingNodes.areNone());
    assertEquals(RETRY.maxDelay(), pause(NOW));
    assertEquals("so it is", cause());
    parts.running("n1", "1.0");
    ended(exit(0));
    assertTrue(parts.failingNodes.areNone(), "something has begun there");
  }

  @Test
  void one_whose_turn_did_not_come_waits_without_a_pause_and_no_more_are_queued_behind_its_like() {
    starts();
    parts.durations.ran(new TaskId(ONE, 0), parts.table.key(parts.task("1.0")), 1, 10);
    assertEquals(64, parts.durations.tasksOfSlot(parts.table.key(parts.task("1.0"))));
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.NOT_BEGUN));
    assertEquals(Duration.ZERO, pause(NOW));
    assertNull(cause());
    assertEquals(0, parts.durations.tasksOfSlot(parts.table.key(parts.task("1.0"))));
  }

  @Test
  void a_member_of_a_gang_that_was_not_begun_pauses_since_its_port_may_be_taken() {
    parts.jobs.terms(gang(GangTerms.Failure.FAIL, 0));
    starts();
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.NOT_BEGUN));
    assertEquals(RETRY.firstDelay(), pause(NOW));
  }

  @Test
  void a_command_that_cannot_be_started_has_failed_and_a_worker_is_tried_again() {
    starts();
    assertEquals(TaskState.FAILED, refused(TaskEnd.Kind.CANNOT_START));
    parts.jobs.tiedConvolutions();
    parts.job(2, 1).starting("n1", "2.0");
    ends.refused(parts.placed("2.0"), because(TaskEnd.Kind.CANNOT_START), NOW);
    assertEquals(TaskState.WAITING, parts.state("2.0"));
    assertEquals(1, parts.task("2.0").crashes());
  }

  @Test
  void what_was_refused_while_it_was_to_leave_waits_and_has_lost_nothing() {
    starts();
    asked(TaskTrigger.PREEMPT);
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.CANNOT_START));
    assertEquals(0, parts.task("1.0").preemptions());
    assertEquals("asked", cause());
  }

  @Test
  void what_was_refused_after_it_was_cancelled_is_cancelled() {
    starts();
    asked(TaskTrigger.CANCEL);
    assertEquals(TaskState.CANCELLED, refused(TaskEnd.Kind.CANNOT_START));
    assertEquals("asked", cause());
  }

  @Test
  void what_was_refused_since_the_server_stops_waits_for_the_next_server() {
    starts();
    parts.transitions.fire(parts.placed("1.0").stopped("it stops"), TaskTrigger.CANCEL, NOW);
    assertEquals(TaskState.WAITING, refused(TaskEnd.Kind.NOT_BEGUN));
    assertNull(cause());
  }

  @Test
  void with_its_node_a_task_is_lost_and_from_a_node_taken_away_it_waits_again() {
    parts.job(1, 2).running("n1", "1.0", "1.1");
    ends.nodeGone(parts.placed("1.0"), "n1 is gone", NOW);
    ends.nodeTakenAway(parts.placed("1.1"), "n1 was taken away", NOW);
    assertEquals(List.of(TaskState.LOST, TaskState.WAITING), parts.states("1.0", "1.1"));
    assertEquals("n1 was taken away", parts.task("1.1").cause());
    assertEquals(0, parts.task("1.1").interruptions());
  }

  @Test
  void what_is_not_to_run_again_has_ended_with_the_node_that_was_taken_away() {
    parts.jobs.leases();
    parts.job(1, 1).running("n1", "1.0");
    PreemptionTerms cancel = new PreemptionTerms(null, PreemptionTerms.Then.CANCEL, 0, 9);
    parts.jobs.commands().terms(JobTerms.USUAL.with(draft -> draft.preemption = cancel));
    parts.job(2, 1).running("n1", "2.0");
    parts.jobs.terms(JobTerms.USUAL);
    parts.job(3, 1).running("n1", "3.0").then(TaskTrigger.CANCEL, "3.0");
    for (String task : List.of("1.0", "2.0", "3.0")) {
      ends.nodeTakenAway(parts.placed(task), "n1 was taken away", NOW);
    }
    assertEquals(
        List.of(TaskState.LOST, TaskState.LOST, TaskState.CANCELLED),
        parts.states("1.0", "2.0", "3.0"));
  }
}
