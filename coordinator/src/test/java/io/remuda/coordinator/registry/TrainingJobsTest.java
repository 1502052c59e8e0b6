package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.lifecycle.TaskTrigger;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the coordinator makes of the epochs that trainings tell. */
class TrainingJobsTest {

  private final TestCluster cluster = new TestCluster().commands();
  private long startMillis;

  private static JobTerms terms(int priority) {
    return new JobTerms(false, PlacementPolicy.PACK, priority, List.of(), 0, 0, null);
  }

  /** Job 1 is a training of ten epochs on the only GPU. */
  @BeforeEach
  void aTrainingRuns() {
    cluster
        .terms(
            terms(0)
                .with(draft -> draft.preemption = PreemptionTerms.TRAINING)
                .with(draft -> draft.training = TrainingTerms.of(10)))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule()
        .reported("n1", running("1.0.1"));
  }

  private TaskReport told(TaskReport report, int epochs) {
    return report.with(TrainingProgress.NONE.startedIn(startMillis).done(epochs, 60_000, 1));
  }

  /** The report of a training that was told to leave. */
  private TaskReport leaving(TaskReport report, int epochs) {
    return report.with(TrainingProgress.NONE.done(epochs, 60_000, 1).leaving(true));
  }

  private void askedToLeave() {
    cluster.terms(terms(5)).job(2, 1, 1).after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
  }

  @Test
  void each_epoch_is_a_change_that_is_stored_once() {
    cluster.changes.clear();
    cluster.reported("n1", told(running("1.0.1"), 3)).reported("n1", told(running("1.0.1"), 3));
    assertEquals(
        List.of(TaskTrigger.EPOCH_DONE),
        cluster.changes.stream().map(change -> change.trigger()).toList());
    assertEquals(3, cluster.task("1.0").epochsDone());
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void an_epoch_told_with_the_first_sight_of_the_process_counts() {
    cluster
        .terms(terms(0).with(draft -> draft.training = TrainingTerms.of(10)))
        .node("n2", "B")
        .job(3, 1, 1);
    cluster.schedule().reported("n2", told(running("3.0.1"), 1));
    assertEquals(TaskState.RUNNING, cluster.state("3.0"));
    assertEquals(1, cluster.task("3.0").epochsDone());
  }

  @Test
  void a_late_report_of_fewer_epochs_changes_nothing() {
    cluster.reported("n1", told(running("1.0.1"), 5)).reported("n1", told(running("1.0.1"), 4));
    assertEquals(5, cluster.task("1.0").epochsDone());
  }

  @Test
  void a_training_in_its_last_epoch_is_not_asked() {
    cluster.reported("n1", told(running("1.0.1"), 9));
    cluster.terms(terms(5)).job(2, 1, 1).after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  private static JobTerms slowTraining() {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, "slow")
        .with(draft -> draft.preemption = PreemptionTerms.TRAINING)
        .with(draft -> draft.training = TrainingTerms.of(10));
  }

  /** It took 100 s to start, then does epochs of 60 s. */
  private void aTrainingWithASlowStart(int epochsDone) {
    cluster
        .terms(slowTraining())
        .node("n2", "B")
        .job(3, 1, 1)
        .schedule()
        .reported("n2", running("3.0.1"))
        .after(Duration.ofSeconds(160));
    startMillis = 100_000;
    cluster
        .reported("n2", told(running("3.0.1"), 1))
        .reported("n2", told(running("3.0.1"), epochsDone))
        .reported("n1", exited("1.0.1", 0));
    cluster.terms(terms(5)).job(4, 1, 1).schedule().job(5, 1, 1);
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals("n1[A]", cluster.place("4.0"));
  }

  @Test
  void a_training_that_ends_sooner_than_it_would_start_again_is_not_asked() {
    aTrainingWithASlowStart(8);
    assertEquals(TaskState.RUNNING, cluster.state("3.0"), "one epoch of 60 s after this one");
  }

  @Test
  void a_training_whose_further_epochs_take_longer_than_its_start_is_asked() {
    aTrainingWithASlowStart(7);
    assertEquals(TaskState.STOPPING, cluster.state("3.0"), "two epochs of 60 s after this one");
  }

  @Test
  void a_training_whose_epoch_takes_longer_than_the_ones_before_is_asked_after_all() {
    aTrainingWithASlowStart(8);
    cluster.after(Duration.ofSeconds(98)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("3.0"), "in its epoch for 99 s");
    cluster.after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("3.0"), "the next may take 101 s, too");
  }

  @Test
  void a_training_that_hangs_before_the_first_epoch_of_a_later_attempt_is_asked_too() {
    aTrainingWithASlowStart(7);
    cluster.reported("n2", leaving(exited("3.0.1", 0), 8)).schedule();
    cluster.reported("n2", exited("5.0.1", 0)).schedule().reported("n2", running("3.0.2"));
    cluster.terms(terms(5)).job(6, 1, 1).after(Duration.ofSeconds(199)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("3.0"), "it starts 100 s, and did 99 s since");
    cluster.after(Duration.ofSeconds(2)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("3.0"), "the next may take 101 s, too");
  }

  @Test
  void a_training_that_is_still_starting_again_costs_more_than_one_in_its_epoch() {
    aTrainingWithASlowStart(4);
    cluster.reported("n2", leaving(exited("3.0.1", 0), 5)).schedule();
    cluster.reported("n2", exited("5.0.1", 0)).schedule().reported("n2", running("3.0.2"));
    cluster.terms(slowTraining()).node("n3", "C").job(7, 1, 1).schedule();
    cluster.reported("n3", running("7.0.1")).after(Duration.ofSeconds(50));
    cluster.reported("n3", told(running("7.0.1"), 1));
    cluster.terms(terms(5)).job(6, 1, 1).after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("3.0"), "49 s of its start and an epoch to go");
    assertEquals(TaskState.STOPPING, cluster.state("7.0"), "59 s of its epoch to go");
  }

  @Test
  void exit_0_after_the_request_with_epochs_left_is_preempted() {
    askedToLeave();
    cluster.reported("n1", leaving(exited("1.0.1", 0), 4)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals(1, cluster.task("1.0").preemptions());
    assertEquals(0, cluster.task("1.0").interruptions());
    assertEquals("n1[A]", cluster.place("2.0"));
    cluster.reported("n1", exited("2.0.1", 0)).schedule();
    assertEquals(
        4, cluster.taskOrders("n1").get(0).training().epochsDone(), "it goes on after the fourth");
  }

  @Test
  void exit_0_after_the_request_with_no_epoch_left_is_its_success() {
    askedToLeave();
    cluster.reported("n1", told(exited("1.0.1", 0), 10)).schedule();
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }

  @Test
  void exit_0_of_one_that_was_never_told_to_leave_is_its_success() {
    askedToLeave();
    cluster.reported("n1", told(exited("1.0.1", 0), 4)).schedule();
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"), "the request came too late");
  }

  @Test
  void exit_0_of_a_script_that_never_asks_is_its_success() {
    askedToLeave();
    cluster.reported("n1", exited("1.0.1", 0)).schedule();
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }

  @Test
  void exit_0_without_a_request_is_its_success_even_with_epochs_left() {
    cluster.reported("n1", told(exited("1.0.1", 0), 4));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"), "it may stop early by itself");
  }

  @Test
  void a_failure_after_the_request_is_a_failure() {
    askedToLeave();
    cluster.reported("n1", told(exited("1.0.1", 3), 4)).schedule();
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void only_what_it_did_after_its_last_epoch_is_lost() {
    cluster.after(Duration.ofSeconds(60)).reported("n1", told(running("1.0.1"), 1));
    askedToLeave(); // a second later
    cluster.after(Duration.ofSeconds(9)).reported("n1", leaving(exited("1.0.1", 0), 1));
    assertEquals(10_000, cluster.task("1.0").history().lostMillis());
  }

  @Test
  void a_first_order_tells_that_no_epoch_is_done_and_others_tell_nothing() {
    assertEquals(0, cluster.taskOrders("n1").get(0).training().epochsDone());
    cluster.terms(terms(0)).node("n2", "B").job(9, 1, 1).schedule();
    assertNull(cluster.taskOrders("n2").get(0).training());
    assertEquals(0, cluster.tasks.find(TaskId.parse("9.0")).orElseThrow().epochsDone());
  }
}
