package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.terminated;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.policy.ServerEndTime;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users ask of live jobs. */
class JobRequestHandlerTest {
  private static final JobId ONE = new JobId(1);
  private static final JobId TWO = new JobId(2);

  private final TestCluster cluster = new TestCluster().commands();
  private final JobRequestHandler requests = cluster.tasks.requests();

  private JobSpec spec(JobId job) {
    return cluster.tasks.job(job).orElseThrow();
  }

  private List<TaskState> states(String... tasks) {
    return Stream.of(tasks).map(cluster::state).toList();
  }

  private static List<String> moved(List<TaskChange> changes) {
    return changes.stream().map(change -> change.attempt().task() + " " + change.to()).toList();
  }

  private static JobTerms withLimit(Duration limit) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), limit.toMillis(), 0, null);
  }

  private void bothTasksRun() {
    cluster.node("n1", "A", "B").job(1, 2, 1).schedule();
    cluster.reported("n1", running("1.0.1"), running("1.1.1"));
  }

  @Test
  void later_attempts_of_a_job_take_no_device_and_placed_tasks_keep_theirs() {
    cluster.node("n1", "A").job(1, 2, 1).schedule().reported("n1", running("1.0.1"));
    requests.withoutGpus(ONE);
    cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[]"), cluster.places("1.0", "1.1"));
    requests.withoutGpus(new JobId(7)); // it is over and forgotten
  }

  @Test
  void a_changed_priority_counts_for_what_waits() {
    cluster.node("n1", "A").job(1, 1, 1).job(2, 1, 1);
    JobTerms urgent = new JobTerms(false, PlacementPolicy.PACK, 9, List.of(), 0, 0, null);
    requests.change(spec(TWO).withTerms(urgent));
    cluster.schedule();
    assertEquals(List.of("-", "n1[A]"), cluster.places("1.0", "2.0"));
  }

  @Test
  void a_changed_time_limit_counts_for_what_runs() {
    bothTasksRun();
    cluster.after(Duration.ofMinutes(5));
    assertEquals(0, requests.overdue(ONE, cluster.now()));
    requests.change(spec(ONE).withTerms(withLimit(Duration.ofMinutes(5))));
    assertEquals(0, requests.overdue(ONE, cluster.now()), "not longer than that");
    cluster.after(Duration.ofMillis(1));
    assertEquals(2, requests.overdue(ONE, cluster.now()));
    assertEquals(0, requests.overdue(TWO, cluster.now()));
    cluster.tick();
    assertEquals(List.of(TaskState.ENDING, TaskState.ENDING), states("1.0", "1.1"));
    assertEquals(0, requests.overdue(ONE, cluster.now()), "they end already");
  }

  @Test
  void a_job_that_starts_after_others_than_before_waits_for_those() {
    cluster.node("n1").job(1, 1, 0).job(2, 1, 0).jobAfter(3, "1:ok", 0);
    JobDependency other = JobDependency.parse("2:any");
    JobSpec third = spec(new JobId(3));
    requests.startAnew(
        third.withTerms(third.terms().withAfter(List.of(other))), Set.of(other), cluster.now());
    cluster.cancel(1);
    assertEquals(TaskState.SUBMITTED, cluster.state("3.0"), "job 1 does not matter any more");
    cluster.cancel(2);
    assertEquals(TaskState.WAITING, cluster.state("3.0"));
  }

  @Test
  void a_job_that_need_not_wait_any_more_may_start_unless_it_is_held() {
    cluster.node("n1").job(1, 1, 0).jobAfter(2, "1:ok", 0).heldJobAfter(3, "1:ok", 0);
    for (long job = 2; job <= 3; job++) {
      requests.startAnew(spec(new JobId(job)), Set.of(), cluster.now());
    }
    assertEquals(List.of(TaskState.WAITING, TaskState.HELD), states("2.0", "3.0"));
  }

  @Test
  void a_job_that_begins_later_is_submitted_again() {
    cluster.job(1, 1, 0);
    requests.startAnew(spec(ONE).withTerms(JobTerms.USUAL.withBegin(60_000)), Set.of(), 0);
    assertEquals(TaskState.SUBMITTED, cluster.state("1.0"));
    cluster.tasks.begin(60_000, cluster.now());
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
  }

  @Test
  void the_first_place_is_before_all_jobs_of_that_user_and_of_nobody_else() {
    assertEquals(1, requests.nextFirst("ann"));
    cluster.job(1, 1, 0).of("bob").job(2, 1, 0);
    JobTerms first = JobTerms.USUAL.withArray(TaskArrayTerms.NONE.withFirst(5));
    requests.change(spec(ONE).withTerms(first));
    assertEquals(6, requests.nextFirst("ann"));
    assertEquals(1, requests.nextFirst("bob"));
  }

  @Test
  void a_cancelled_job_ends_with_the_reason_that_was_given() {
    cluster.node("n1", "A").job(1, 2, 1).schedule();
    List<TaskChange> changes = requests.cancel(ONE, "not needed", cluster.now());
    assertEquals(List.of("1.1 CANCELLED", "1.0 ENDING"), moved(changes));
    assertEquals("not needed", cluster.task("1.0").cause());
    assertEquals(List.of(), requests.cancel(ONE, "not needed", cluster.now()));
    assertEquals(List.of(), requests.cancel(new JobId(7), "not needed", cluster.now()));
  }

  @Test
  void one_task_may_be_ended_or_leave_while_the_others_go_on() {
    bothTasksRun();
    TaskId first = TaskId.parse("1.0");
    assertEquals(
        List.of("1.0 STOPPING"),
        moved(requests.fire(first, TaskTrigger.PREEMPT, "requeued", cluster.now())));
    assertEquals(
        List.of("1.0 ENDING"),
        moved(requests.fire(first, TaskTrigger.CANCEL, "cancelled", cluster.now())));
    assertEquals("cancelled", cluster.task("1.0").cause());
    assertEquals(TaskState.RUNNING, cluster.state("1.1"));
    assertEquals(
        List.of(), requests.fire(TaskId.parse("7.0"), TaskTrigger.CANCEL, "x", cluster.now()));
  }

  @Test
  void when_the_server_stops_what_waits_stays() {
    cluster.node("n1", "A").job(1, 2, 1).schedule();
    assertEquals(List.of("1.0 ENDING"), moved(requests.stop("it stops", cluster.now())));
    assertEquals(TaskState.WAITING, cluster.state("1.1"));
  }

  @Test
  void when_the_machines_go_a_sigterm_is_theirs_and_no_failure() {
    cluster.tasks.serverEnds(ServerEndTime.NEVER);
    bothTasksRun();
    assertEquals(
        List.of("1.0 STOPPING", "1.1 STOPPING"),
        moved(requests.leaveAll("the allocation ends", cluster.now())));
    cluster.reported("n1", terminated("1.0.1"), left("1.1.1"));
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING), states("1.0", "1.1"));
  }

  @Test
  void a_node_is_left_by_what_is_preemptible() {
    cluster.node("n1", "A").node("n2", "B").job(1, 1, 1);
    cluster
        .terms(JobTerms.USUAL.with(draft -> draft.preemption = PreemptionTerms.USUAL))
        .job(2, 1, 1)
        .schedule();
    String node = cluster.placed("2.0").place().node();
    String other = cluster.placed("1.0").place().node();
    assertEquals(List.of(), requests.leaveNode(other, "drained", cluster.now()));
    assertEquals(
        List.of("2.0 STOPPING"), moved(requests.leaveNode(node, "drained", cluster.now())));
  }

  @Test
  void a_job_that_is_requeued_leaves_all_its_places_and_waits_again() {
    bothTasksRun();
    assertEquals(
        List.of("1.0 STOPPING", "1.1 STOPPING"),
        moved(requests.leave(ONE, "requeued", cluster.now())));
    cluster.reported("n1", left("1.0.1"), left("1.1.1"));
    assertEquals(List.of(TaskState.WAITING, TaskState.WAITING), states("1.0", "1.1"));
  }

  @Test
  void a_held_job_keeps_its_places_and_gets_no_others_until_it_is_released() {
    cluster.node("n1", "A").job(1, 2, 1).schedule();
    assertEquals(List.of("1.1 HELD"), moved(requests.hold(ONE, cluster.now())));
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    assertEquals(
        List.of("1.1 SUBMITTED", "1.1 WAITING"), moved(requests.release(ONE, cluster.now())));
  }
}
