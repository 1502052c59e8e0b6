package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.RegistryParts.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which tasks leave their places when others, a node or the server ask, and what then follows. */
class PlacedTaskEvictionTest {
  private static final JobTerms GANG = JobTerms.USUAL.with(draft -> draft.gang = GangTerms.USUAL);

  private final RegistryParts parts = new RegistryParts();
  private final PlacedTaskEviction leaving =
      new PlacedTaskEviction(parts.table, parts.transitions, parts.transitions.jobs());

  /** The jobs that follow may be asked to leave. */
  private void preemptible(JobTerms terms, PreemptionTerms.Then then) {
    parts.jobs.terms(terms.with(draft -> draft.preemption = new PreemptionTerms(null, then, 0, 9)));
  }

  private static List<String> moved(List<TaskChange> changes) {
    return changes.stream().map(change -> change.attempt().task() + " " + change.to()).toList();
  }

  private List<String> preempt(String task) {
    return moved(leaving.preempt(TaskId.parse(task), "make room", NOW));
  }

  @Test
  void a_server_that_stops_ends_what_has_a_place_and_nothing_else() {
    parts.job(1, 3).running("n1", "1.0").starting("n2", "1.1");
    assertEquals(List.of("1.0 ENDING", "1.1 ENDING"), moved(leaving.stop("it stops", NOW)));
    assertEquals(TaskState.WAITING, parts.state("1.2"));
    assertEquals("it stops", parts.task("1.0").cause());
    assertEquals(EndReason.SERVER_STOPS, parts.placed("1.1").progress().ending());
    assertEquals(List.of(), leaving.stop("it stops", NOW), "once");
  }

  @Test
  void what_its_user_has_cancelled_stays_cancelled_when_the_server_stops() {
    parts.job(1, 1).running("n1", "1.0").then(TaskTrigger.CANCEL, "1.0");
    assertEquals(List.of(), leaving.stop("it stops", NOW));
    assertEquals(EndReason.ON_REQUEST, parts.placed("1.0").progress().ending());
  }

  @Test
  void a_server_that_stops_ends_a_gang_as_a_whole_each_member_once() {
    parts.jobs.terms(GANG);
    parts.job(1, 3).running("n1", "1.0", "1.1").running("n2", "1.2");
    assertEquals(
        List.of("1.0 ENDING", "1.1 ENDING", "1.2 ENDING"), moved(leaving.stop("it stops", NOW)));
    assertEquals(TaskState.CANCELLED, parts.base(1), "none of them waits again alone");
  }

  @Test
  void a_task_leaves_alone_to_wait_again() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.REQUEUE);
    parts.job(1, 3).running("n1", "1.0", "1.1");
    assertEquals(List.of("1.0 STOPPING"), preempt("1.0"));
    assertEquals("make room", parts.task("1.0").cause());
    assertEquals(TaskState.WAITING, parts.base(1));
  }

  @Test
  void a_task_without_a_place_has_none_to_leave() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.CANCEL);
    parts.job(1, 1);
    assertEquals(List.of(), preempt("1.0"));
    assertEquals(List.of(), preempt("7.0"));
  }

  @Test
  void a_task_whose_terms_say_so_is_cancelled_and_the_others_of_its_job_go_on() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.CANCEL);
    parts.job(1, 3).running("n1", "1.0", "1.1");
    assertEquals(List.of("1.0 ENDING"), preempt("1.0"));
    assertEquals(List.of(TaskState.RUNNING, TaskState.WAITING), parts.states("1.1", "1.2"));
  }

  @Test
  void a_job_whose_terms_say_so_is_held_with_what_waits_of_it() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.HOLD);
    parts.job(1, 3).running("n1", "1.0", "1.1");
    assertEquals(List.of("1.2 HELD", "1.0 STOPPING"), preempt("1.0"));
    assertEquals(TaskState.RUNNING, parts.state("1.1"), "what has a place keeps it");
  }

  @Test
  void a_gang_leaves_ends_or_is_held_as_a_whole() {
    preemptible(GANG, PreemptionTerms.Then.REQUEUE);
    parts.job(1, 2).running("n1", "1.0").running("n2", "1.1");
    preemptible(GANG, PreemptionTerms.Then.CANCEL);
    parts.job(2, 2).running("n1", "2.0").running("n2", "2.1");
    preemptible(GANG, PreemptionTerms.Then.HOLD);
    parts.job(3, 2).running("n1", "3.0").running("n2", "3.1");
    assertEquals(List.of("1.0 STOPPING", "1.1 STOPPING"), preempt("1.1"));
    assertEquals(List.of("2.0 ENDING", "2.1 ENDING"), preempt("2.1"));
    assertEquals(List.of("3.0 STOPPING", "3.1 STOPPING"), preempt("3.1"));
    assertEquals(
        List.of(TaskState.WAITING, TaskState.CANCELLED, TaskState.HELD),
        List.of(parts.base(1), parts.base(2), parts.base(3)));
  }

  @Test
  void a_training_leaves_for_another_number_of_gpus_and_takes_the_number_along() {
    parts.job(1, 1).running("n1", "1.0");
    List<TaskChange> changes = leaving.resize(parts.placed("1.0"), 4, "more are free", NOW);
    assertEquals(List.of("1.0 STOPPING"), moved(changes));
    assertEquals(4, parts.task("1.0").history().gpus());
    assertEquals("more are free", parts.task("1.0").cause());
  }

  @Test
  void what_is_preemptible_leaves_a_node_and_what_is_not_finishes_there() {
    parts.job(1, 1).running("n1", "1.0");
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.REQUEUE);
    parts.job(2, 2).running("n1", "2.0").running("n2", "2.1");
    assertEquals(List.of("2.0 STOPPING"), moved(leaving.leaveNode("n1", "drained", NOW)));
    assertEquals(List.of(TaskState.RUNNING, TaskState.RUNNING), parts.states("1.0", "2.1"));
  }

  @Test
  void only_what_has_one_of_these_gpus_leaves_it() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.REQUEUE);
    parts.job(1, 3).running("n1", "1.0");
    parts.starting("n1", List.of("A", "B"), "1.1").starting("n1", List.of("C"), "1.2");
    parts.then(TaskTrigger.SEEN_RUNNING, "1.1", "1.2");
    assertEquals(
        List.of("1.1 STOPPING"),
        moved(leaving.leaveGpus("n1", List.of(new DeviceId("B")), "drained", NOW)));
    assertEquals(List.of(TaskState.RUNNING, TaskState.RUNNING), parts.states("1.0", "1.2"));
  }

  @Test
  void a_gang_leaves_other_nodes_too_each_member_once() {
    preemptible(GANG, PreemptionTerms.Then.REQUEUE);
    parts.job(1, 3).running("n1", "1.0", "1.1").running("n2", "1.2");
    assertEquals(
        List.of("1.0 STOPPING", "1.1 STOPPING", "1.2 STOPPING"),
        moved(leaving.leaveNode("n1", "drained", NOW)));
  }

  @Test
  void what_cannot_leave_now_is_not_asked_and_its_job_not_held() {
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.HOLD);
    parts.job(1, 2).running("n1", "1.0").then(TaskTrigger.NODE_SILENT, "1.0");
    assertEquals(List.of(), leaving.leaveNode("n1", "drained", NOW));
    assertEquals(List.of(), leaving.leaveAll("the machines go", NOW));
    assertEquals(List.of(TaskState.UNKNOWN, TaskState.WAITING), parts.states("1.0", "1.1"));
  }

  @Test
  void when_the_machines_go_all_leave_as_their_terms_say_preemptible_or_not() {
    parts.job(1, 2).running("n1", "1.0");
    preemptible(JobTerms.USUAL, PreemptionTerms.Then.CANCEL);
    parts.job(2, 1).running("n2", "2.0");
    assertEquals(
        List.of("1.0 STOPPING", "2.0 ENDING"), moved(leaving.leaveAll("the machines go", NOW)));
  }

  @Test
  void when_the_machines_go_the_program_of_a_lease_ends() {
    parts.jobs.leases();
    parts.job(1, 1).running("n1", "1.0");
    assertEquals(List.of("1.0 ENDING"), moved(leaving.leaveAll("the machines go", NOW)));
    assertEquals("the machines go", parts.task("1.0").cause());
  }

  @Test
  void a_job_leaves_all_its_places_and_other_jobs_keep_theirs() {
    parts.job(1, 3).running("n1", "1.0").starting("n2", "1.1").job(2, 1).running("n1", "2.0");
    List<TaskChange> changes = leaving.leave(new JobId(1), "requeued", NOW);
    assertEquals(List.of("1.0 STOPPING", "1.1 STOPPING"), moved(changes));
    assertEquals("requeued", changes.get(1).cause());
  }
}
