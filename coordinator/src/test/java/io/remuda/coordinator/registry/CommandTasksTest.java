package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.ending;
import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.killed;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.refused;
import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.starting;
import static io.remuda.coordinator.registry.TaskReports.stuck;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of jobs that users submit. */
class CommandTasksTest {
  private final TestCluster cluster = new TestCluster().commands();

  private static JobTerms retries(int count) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, count, null);
  }

  private TestCluster oneRunning() {
    return cluster.node("n1").job(1, 1, 0).schedule().reported("n1", running("1.0.1"));
  }

  @Test
  void its_exit_code_is_its_result() {
    oneRunning().reported("n1", exited("1.0.1", 0));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
    cluster.job(2, 1, 0).schedule().reported("n1", exited("2.0.1", 3));
    assertEquals(TaskState.FAILED, cluster.state("2.0"));
    assertEquals("exit code 3", cluster.task("2.0").cause());
    assertEquals(3, cluster.task("2.0").end().exitCode());
  }

  @Test
  void a_signal_is_a_failure() {
    oneRunning().reported("n1", killed("1.0.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void without_retries_a_task_whose_node_has_lost_it_is_lost() {
    oneRunning().reported("n1");
    assertEquals(TaskState.LOST, cluster.state("1.0"));
    assertEquals("its node no longer has it", cluster.task("1.0").cause());
  }

  @Test
  void retries_are_for_failures_and_for_interruptions_alike() {
    cluster.terms(retries(2));
    oneRunning().reported("n1", exited("1.0.1", 1)).after(Duration.ofSeconds(3)).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n1"));
    assertEquals(1, cluster.tasks.order(cluster.placed("1.0")).triesBefore());
    cluster.reported("n1", running("1.0.2")).reported("n1").after(Duration.ofSeconds(3)).schedule();
    assertEquals(List.of("1.0.3"), cluster.orders("n1"));
    cluster.reported("n1", exited("1.0.3", 1));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void a_busy_device_costs_no_retry() {
    cluster.node("n1", "A", "B").job(1, 1, 1).schedule().reported("n1", refused("1.0.1", "busy"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.schedule();
    assertEquals("n1[B]", cluster.place("1.0"));
  }

  @Test
  void a_full_disk_costs_no_retry_and_the_task_waits_for_a_while() {
    TaskEnd full = TaskEnd.because(TaskEnd.Kind.NO_ROOM, "the disk of n1 is full");
    cluster.node("n1").job(1, 1, 0).schedule().reported("n1", TaskReports.refused("1.0.1", full));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals("the disk of n1 is full", cluster.task("1.0").cause());
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n1"));
  }

  /** The next task begins as little as those before. */
  private void refuseNext(int attempt) {
    TaskEnd none = TaskEnd.because(TaskEnd.Kind.NO_ROOM, "no more processes");
    cluster.after(Duration.ofSeconds(2)).schedule();
    cluster.reported("n1", TaskReports.refused("1.0." + attempt, none));
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-disk")
  void a_node_on_which_nothing_can_begin_is_avoided_and_one_task_tries_it_after_a_while() {
    cluster.node("n1").job(1, 1, 0);
    for (int attempt = 1; attempt <= 5; attempt++) {
      refuseNext(attempt);
    }
    cluster.after(Duration.ofSeconds(3)).job(2, 3, 0).schedule();
    assertEquals(List.of(), cluster.orders("n1"));
    assertEquals(
        List.of(new WaitReason.NodeAvoided("n1", 5, "no more processes", 5000)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
    cluster.after(Duration.ofSeconds(3)).schedule().schedule();
    assertEquals(List.of("1.0.6"), cluster.orders("n1"), "one alone");
    cluster.reported("n1", running("1.0.6")).schedule();
    assertEquals(4, cluster.orders("n1").size(), "it is as good as any again");
  }

  @Test
  void a_gang_is_sent_to_a_node_on_trial_as_a_whole_or_not_at_all() {
    cluster.node("n1").job(1, 1, 0);
    for (int attempt = 1; attempt <= 5; attempt++) {
      refuseNext(attempt);
    }
    cluster.hold(1).terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.job(2, 3, 0).job(3, 2, 0).after(Duration.ofSeconds(6)).schedule();
    assertEquals(List.of("2.0.1", "2.1.1", "2.2.1"), cluster.orders("n1"), "and not the next");
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-disk")
  void a_node_is_avoided_for_longer_each_time_that_the_task_sent_to_see_cannot_begin() {
    cluster.node("n1").job(1, 1, 0);
    for (int attempt = 1; attempt <= 5; attempt++) {
      refuseNext(attempt);
    }
    cluster.after(Duration.ofSeconds(4));
    refuseNext(6);
    cluster.after(Duration.ofSeconds(6)).schedule();
    assertEquals(
        List.of(new WaitReason.NodeAvoided("n1", 6, "no more processes", 10_000)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_device_that_another_program_has_locked_is_said_to_be_that_and_not_to_be_full() {
    TaskEnd held = TaskEnd.because(TaskEnd.Kind.DEVICE_BUSY, "A is kept by process 7 of user 5");
    cluster.node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", TaskReports.refused("1.0.1", held)).schedule();
    WaitReason.GpusHeldByOthers why =
        (WaitReason.GpusHeldByOthers)
            cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()).get(0);
    assertEquals("A is kept by process 7 of user 5", why.by());
    cluster.after(Duration.ofSeconds(3)).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n1"), "it is tried again");
    assertTrue(cluster.tasks.holders().isEmpty(), "and has it only once it runs");
    cluster.reported("n1", running("1.0.2"));
    assertEquals(1, cluster.tasks.holders().size());
  }

  @Test
  void a_task_without_retries_stays_unknown_as_long_as_its_node_is_silent() {
    oneRunning().silent("n1").after(Duration.ofDays(30)).tick();
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    assertEquals("its node n1 does not answer", cluster.task("1.0").whyNotOver().orElseThrow());
    cluster.joined("n1", running("1.0.1"));
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void a_task_with_retries_runs_elsewhere_once_its_contact_deadline_has_surely_passed() {
    cluster.terms(retries(1));
    oneRunning().node("n2").silent("n1");
    assertEquals(0, cluster.tasks.order(cluster.placed("1.0")).contactMillis());
    cluster.after(Duration.ofSeconds(11)).tick().after(Duration.ofSeconds(1)).schedule();
    assertEquals(List.of("1.0.2"), cluster.orders("n2"));
  }

  @Test
  void a_chain_goes_on_with_each_success_and_ends_with_the_first_failure() {
    cluster.node("n1").job(1, 1, 0).jobAfter(2, "1:ok", 0).jobAfter(3, "2:ok", 0);
    cluster.schedule().reported("n1", exited("1.0.1", 0));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
    assertEquals(TaskState.SUBMITTED, cluster.state("3.0"));
    cluster.schedule().reported("n1", exited("2.0.1", 1));
    assertEquals(TaskState.CANCELLED, cluster.state("3.0"));
    assertEquals("job 2 failed", cluster.task("3.0").cause());
  }

  @Test
  void a_diamond_waits_for_both_sides() {
    cluster.node("n1").job(1, 1, 0).job(2, 1, 0);
    cluster.jobAfter(3, List.of("1:ok", "2:ok"));
    cluster.schedule().reported("n1", exited("1.0.1", 0), running("2.0.1"));
    assertEquals(TaskState.SUBMITTED, cluster.state("3.0"));
    assertEquals(
        List.of(new WaitReason.AfterJob(JobDependency.parse("2:ok"))),
        cluster.tasks.whyWaiting(TaskId.parse("3.0"), cluster.now()));
    cluster.reported("n1", exited("2.0.1", 0));
    assertEquals(TaskState.WAITING, cluster.state("3.0"));
  }

  @Test
  void a_job_may_wait_for_a_failure_or_for_any_end() {
    cluster.node("n1").job(1, 1, 0).jobAfter(2, "1:fail", 0).jobAfter(3, "1:any", 0);
    cluster.schedule().reported("n1", exited("1.0.1", 9));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("3.0"));
  }

  @Test
  void a_job_on_hold_waits_for_its_release() {
    cluster.node("n1").job(1, 1, 0).hold(1).schedule();
    assertEquals(TaskState.HELD, cluster.state("1.0"));
    assertEquals(
        List.of(new WaitReason.OnHold()),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
    cluster.release(1).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
  }

  @Test
  void a_time_limit_counts_from_the_moment_the_process_was_seen() {
    cluster.limited().node("n1").job(1, 1, 0).schedule().after(Duration.ofHours(2));
    cluster.reported("n1", running("1.0.1")).after(Duration.ofMinutes(59)).tick();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    cluster.after(Duration.ofMinutes(2)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals(List.of(), cluster.orders("n1"));
    cluster.reported("n1", exited("1.0.1", 0));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    assertEquals("time limit of 1 h passed", cluster.task("1.0").cause());
  }

  @Test
  void what_was_cancelled_says_so_whatever_its_exit_code() {
    oneRunning().cancel(1).reported("n1", left("1.0.1"));
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    assertEquals("cancelled", cluster.task("1.0").cause());
  }

  @Test
  void what_ended_by_itself_before_it_could_be_cancelled_has_the_state_of_its_exit_code() {
    cluster.terms(retries(1)).node("n1").job(1, 2, 0).schedule();
    cluster.reported("n1", running("1.0.1"), running("1.1.1")).cancel(1);
    cluster.reported("n1", exited("1.0.1", 0), exited("1.1.1", 3));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
    assertEquals(TaskState.FAILED, cluster.state("1.1"), "and nothing runs again");
    assertEquals("exit code 3", cluster.task("1.1").cause());
  }

  @Test
  void a_pause_before_a_retry_is_a_reason_to_wait() {
    cluster.terms(retries(1));
    oneRunning().reported("n1", exited("1.0.1", 1));
    assertTrue(
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()).get(0)
            instanceof WaitReason.PauseBeforeRetry);
  }

  @Test
  void an_order_that_never_arrived_is_not_lost_when_the_node_comes_back() {
    cluster.node("n1").job(1, 1, 0).schedule().silent("n1");
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    cluster.tasks.ordered(AttemptId.parse("1.0.1"), 5);
    cluster.joined("n1").reportedAt("n1", 4);
    assertEquals(List.of("1.0.1"), cluster.orders("n1"));
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    cluster.after(Duration.ofSeconds(60)).tick();
    assertEquals(TaskState.STARTING, cluster.state("1.0"), "the silence is over");
    cluster.reportedAt("n1", 5, starting("1.0.1"));
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
  }

  @Test
  @Tag("attack")
  @Tag("attack-kill-storm")
  void what_is_cancelled_on_a_silent_node_ends_when_the_node_says_so_or_is_said_to_be_gone() {
    oneRunning().jobAfter(2, "1:any", 0).silent("n1").cancel(1);
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    cluster.after(Duration.ofDays(30)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals(TaskState.SUBMITTED, cluster.state("2.0"), "its processes may live");
    assertEquals(
        "cancelled; its node is silent: over when the node is back or declared gone"
            + " (remuda drain --gone n1)",
        cluster.task("1.0").cause());

    cluster.nodeGone("n1");
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    assertEquals("cancelled", cluster.task("1.0").cause());
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  @Tag("attack")
  @Tag("attack-kill-storm")
  void what_is_cancelled_on_a_silent_node_ends_once_its_contact_deadline_has_surely_passed() {
    cluster.terms(retries(1));
    oneRunning().silent("n1").cancel(1).after(Duration.ofSeconds(9)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals(
        "cancelled; its node is silent: over when the node is back or the contact deadline has"
            + " passed",
        cluster.task("1.0").cause());
    cluster.after(Duration.ofSeconds(2)).tick();
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    assertEquals("cancelled", cluster.task("1.0").cause());
  }

  @Test
  @Tag("attack")
  @Tag("attack-kill-storm")
  void a_cancelled_task_whose_node_is_back_says_no_more_that_it_is_silent() {
    oneRunning().silent("n1").cancel(1).tick();
    cluster.joined("n1", ending("1.0.1"));
    assertEquals("cancelled", cluster.task("1.0").cause());
    cluster.after(Duration.ofDays(1)).tick();
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
  }

  @Test
  @Tag("attack")
  @Tag("attack-escape")
  void what_its_node_cannot_end_is_unknown_and_not_started_elsewhere_before_it_is_gone() {
    String why = "process 12 (sleep) is of user 0: as that user, kill -9 12";
    cluster.terms(retries(1));
    oneRunning().node("n2").reported("n1", stuck("1.0.1", why));
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    assertEquals(why, cluster.task("1.0").cause());
    assertEquals(why, cluster.task("1.0").whyNotOver().orElseThrow());
    cluster.changes.clear();
    cluster.reported("n1", stuck("1.0.1", why));
    assertEquals(List.of(), cluster.changes, "said once");

    cluster.silent("n1").after(Duration.ofDays(1)).tick().schedule();
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"), "no lease ends it");
    cluster.joined("n1", stuck("1.0.1", why)).reported("n1", killed("1.0.1"));
    cluster.after(Duration.ofSeconds(3)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
  }

  @Test
  @Tag("attack")
  @Tag("attack-escape")
  void what_is_cancelled_and_cannot_be_ended_says_why_it_is_still_there() {
    oneRunning().cancel(1).reported("n1", stuck("1.0.1", "process 12 does not end"));
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    assertEquals("cancelled; process 12 does not end", cluster.task("1.0").cause());
    cluster.reported("n1", killed("1.0.1"));
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
    assertEquals("cancelled", cluster.task("1.0").cause());
  }

  @Test
  void a_chain_may_be_longer_than_the_stack() {
    cluster.node("n1").job(1, 1, 0);
    int last = 20_000;
    for (int id = 2; id <= last; id++) {
      cluster.jobAfter(id, (id - 1) + ":ok", 0);
    }
    cluster.cancel(1);
    assertEquals(TaskState.CANCELLED, cluster.state(last + ".0"));
    assertEquals("job " + (last - 1) + " cancelled", cluster.task(last + ".0").cause());
  }

  @Test
  void jobs_that_wait_for_one_less_are_told_once() {
    cluster.node("n1").job(1, 1, 0).job(2, 1, 0).jobAfter(3, List.of("1:any", "2:any"));
    cluster.cancel(1);
    assertEquals(Set.of(new JobId(3)), cluster.tasks.loosened());
    assertEquals(Set.of(), cluster.tasks.loosened());
    assertEquals(
        Set.of(JobDependency.parse("2:any")),
        cluster.tasks.live(new JobId(3)).orElseThrow().open());
  }

  @Test
  void a_report_in_which_one_of_a_gang_fails_does_not_bring_the_others_back() {
    cluster.terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.node("n1").job(1, 2, 0).schedule();
    cluster.reported("n1", exited("1.0.1", 4), running("1.1.1"));
    assertEquals(TaskState.ENDING, cluster.state("1.1"));
    assertEquals(List.of(), cluster.orders("n1"));
  }

  @Test
  void a_job_that_is_over_is_forgotten_when_it_is_told_to_be() {
    oneRunning().reported("n1", exited("1.0.1", 0));
    cluster.tasks.drop(new JobId(1));
    assertEquals(List.of(), cluster.tasks.jobs());
    cluster.reported("n1", exited("1.0.1", 0)).schedule().tick();
  }
}
