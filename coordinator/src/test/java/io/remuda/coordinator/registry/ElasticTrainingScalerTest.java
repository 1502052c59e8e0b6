package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Trainings that may have up to four GPUs. */
class ElasticTrainingScalerTest {

  private static final int EPOCHS = 50;

  private final TestCluster cluster = new TestCluster().commands();
  private TrainingProgress told = TrainingProgress.NONE;

  private void training(long job, int most) {
    TrainingTerms terms = new TrainingTerms(EPOCHS, null, null, null, null, null, most, null);
    cluster
        .terms(
            new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, "t" + job)
                .with(draft -> draft.preemption = PreemptionTerms.TRAINING)
                .with(draft -> draft.training = terms))
        .job(job, 1, 1);
  }

  private void other(long job, int gpus) {
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null))
        .job(job, 1, gpus);
  }

  /** The training of job 1 ends an epoch that took so many seconds. */
  private void epoch(String attempt, int done, int seconds) {
    told = told.done(done, seconds * 1000L, done);
    cluster
        .after(Duration.ofSeconds(seconds))
        .reported("n1", running(attempt).with(told))
        .schedule();
  }

  private int gpus(String task) {
    String place = cluster.place(task);
    return place.equals("-") ? 0 : place.split(",").length;
  }

  /** The training has left; what it told is in its last report. */
  private void leaves(String attempt) {
    TaskReport end = exited(attempt, 0).with(told.leaving(true));
    cluster.reported("n1", end).schedule();
  }

  @Test
  void it_starts_with_what_is_free_up_to_its_most() {
    cluster.node("n1", "A", "B", "C", "D", "E", "F");
    training(1, 4);
    cluster.schedule();
    assertEquals(4, gpus("1.0"));
    training(2, 4);
    cluster.schedule();
    assertEquals(2, gpus("2.0"));
  }

  @Test
  void what_was_not_free_a_moment_ago_counts_as_soon_as_it_is() {
    training(1, 4);
    cluster.node("n2").schedule();
    assertEquals(0, gpus("1.0"), "a division found no GPU for it");
    cluster.after(Duration.ofMillis(100)).node("n1", "A", "B", "C", "D").schedule();
    assertEquals(4, gpus("1.0"));
  }

  @Test
  void two_that_waited_share_what_becomes_free() {
    cluster.node("n1", "A", "B", "C", "D");
    other(9, 4);
    cluster.schedule().reported("n1", running("9.0.1"));
    training(1, 4);
    training(2, 4);
    cluster.schedule().after(Duration.ofMillis(100));
    cluster.reported("n1", exited("9.0.1", 0)).schedule();
    assertEquals(2, gpus("1.0"));
    assertEquals(2, gpus("2.0"));
  }

  @Test
  void it_leaves_to_another_that_waits_what_that_needs() {
    cluster.node("n1", "A", "B", "C", "D");
    other(9, 4);
    cluster.schedule().reported("n1", running("9.0.1"));
    training(1, 4);
    other(2, 2);
    cluster.schedule().after(Duration.ofMillis(100));
    cluster.reported("n1", exited("9.0.1", 0)).schedule();
    assertEquals(2, gpus("1.0"));
    assertEquals(2, gpus("2.0"));
  }

  @Test
  void it_leaves_nothing_to_a_scavenger_that_waits() {
    cluster.node("n1", "A", "B", "C", "D");
    other(9, 4);
    cluster.schedule().reported("n1", running("9.0.1"));
    training(1, 4);
    cluster
        .terms(
            JobTerms.USUAL
                .with(terms -> terms.preemption = PreemptionTerms.TRAINING)
                .with(terms -> terms.qos = Qos.SCAVENGER))
        .job(2, 2, 1)
        .schedule()
        .after(Duration.ofMillis(100));
    cluster.reported("n1", exited("9.0.1", 0)).schedule();
    assertEquals(4, gpus("1.0"));
  }

  @Test
  void what_others_lacked_long_ago_is_no_longer_kept_for_them() {
    cluster.node("n1", "A", "B");
    training(1, 2);
    cluster.schedule().reported("n1", running("1.0.1"));
    other(9, 1);
    epoch("1.0.1", 1, 10);
    cluster.reported("n1", exited("1.0.1", 0)).schedule(); // the last training, before it changes
    cluster.reported("n1", running("9.0.1")).reported("n1", exited("9.0.1", 0)).schedule();
    training(2, 2);
    cluster.schedule();
    assertEquals(2, gpus("2.0"));
  }

  @Test
  void two_that_come_together_share_what_there_is() {
    cluster.node("n1", "A", "B", "C", "D");
    training(1, 4);
    cluster.schedule();
    training(2, 4);
    cluster.reported("n1", running("1.0.1")).schedule();
    assertEquals(0, gpus("2.0"));
    epoch("1.0.1", 1, 10);
    assertEquals(TaskState.STOPPING, cluster.state("1.0"), "it goes on with fewer");
    leaves("1.0.1");
    assertEquals(2, gpus("1.0"));
    assertEquals(2, gpus("2.0"));
    assertEquals("goes on with 2 GPUs in place of 4", cluster.task("1.0").cause());
  }

  @Test
  void it_gives_up_gpus_that_another_job_waits_for() {
    cluster.node("n1", "A", "B", "C", "D");
    training(1, 4);
    cluster.schedule().reported("n1", running("1.0.1"));
    other(2, 2);
    cluster.schedule();
    epoch("1.0.1", 1, 10);
    leaves("1.0.1");
    assertEquals(2, gpus("2.0"));
    assertEquals(2, gpus("1.0"));
  }

  @Test
  void it_gets_gpus_that_become_free_if_they_are_worth_it() {
    cluster.node("n1", "A", "B", "C", "D");
    other(9, 3);
    cluster.schedule().reported("n1", running("9.0.1"));
    training(1, 4);
    cluster.schedule().reported("n1", running("9.0.1"), running("1.0.1"));
    assertEquals(1, gpus("1.0"));
    cluster.reported("n1", exited("9.0.1", 0), running("1.0.1")).schedule();
    epoch("1.0.1", 1, 10);
    leaves("1.0.1");
    assertEquals(2, gpus("1.0"), "one step that was never measured");
    epoch("1.0.2", 2, 6);
    leaves("1.0.2");
    assertEquals(4, gpus("1.0"));
    epoch("1.0.3", 3, 9);
    leaves("1.0.3");
    assertEquals(2, gpus("1.0"), "four were slower");
    epoch("1.0.4", 4, 6);
    epoch("1.0.4", 5, 6);
    assertEquals(TaskState.RUNNING, cluster.state("1.0"), "it stays at two");
  }

  @Test
  void without_a_free_gpu_it_waits_for_one() {
    cluster.node("n1", "A", "B");
    other(9, 2);
    cluster.schedule().reported("n1", running("9.0.1"));
    training(1, 2);
    cluster.schedule();
    assertEquals(
        List.of(new WaitReason.TooFewFreeGpus("n1", 1, 0, 2)),
        cluster.tasks.whyWaiting(TaskId.parse("1.0"), cluster.now()));
  }

  private static JobTerms elastic(int priority, int most, String type) {
    TrainingTerms terms = new TrainingTerms(EPOCHS, null, null, null, null, null, most, null);
    return new JobTerms(false, PlacementPolicy.PACK, priority, List.of(), 0, 0, type)
        .with(draft -> draft.preemption = PreemptionTerms.TRAINING)
        .with(draft -> draft.training = terms);
  }

  @Test
  void it_does_not_leave_for_gpus_of_a_node_that_has_no_cpu_for_it() {
    cluster.node("n2", "C", "D", "E", "F");
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null))
        .job(9, 1, new ResourceRequest(4, 0))
        .schedule()
        .reported("n2", running("9.0.1"))
        .node("n1", "A", "B")
        .terms(elastic(0, 4, "t"))
        .job(1, 1, new ResourceRequest(1, 1))
        .schedule()
        .reported("n1", running("1.0.1"));
    assertEquals("n1[A, B]", cluster.place("1.0"));
    epoch("1.0.1", 1, 10);
    epoch("1.0.1", 2, 10);
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void it_does_not_leave_if_it_is_not_preemptible() {
    cluster.node("n1", "A", "B", "C", "D");
    cluster
        .terms(elastic(0, 4, "t").with(draft -> draft.preemption = null))
        .job(1, 1, 1)
        .schedule();
    cluster.reported("n1", running("1.0.1"));
    other(2, 2);
    cluster.schedule();
    epoch("1.0.1", 1, 10);
    epoch("1.0.1", 2, 10);
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void however_many_jobs_wait_trainings_give_up_what_they_can() {
    cluster.node("n1", "A", "B", "C", "D");
    training(1, 4);
    cluster.schedule().reported("n1", running("1.0.1"));
    for (int job = 2; job <= 12; job++) {
      other(job, 1);
    }
    epoch("1.0.1", 1, 10);
    leaves("1.0.1");
    assertEquals(1, gpus("1.0"));
  }

  @Test
  void a_job_that_no_training_can_help_takes_nothing_from_them() {
    cluster.node("n1", "A", "B", "C", "D", "E", "F", "G", "H");
    other(9, 4);
    training(1, 4);
    cluster.schedule().reported("n1", running("9.0.1"), running("1.0.1"));
    assertEquals(4, gpus("1.0"));
    other(2, 8);
    cluster.schedule();
    for (int done = EPOCHS - 7; done < EPOCHS - 4; done++) {
      told = told.done(done, 10_000, done);
      cluster
          .after(Duration.ofSeconds(10))
          .reported("n1", running("9.0.1"), running("1.0.1").with(told))
          .schedule();
    }
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void an_urgent_training_takes_the_place_for_which_another_leaves() {
    cluster.node("n1", "A");
    cluster
        .terms(
            new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null)
                .with(draft -> draft.preemption = PreemptionTerms.TRAINING))
        .job(9, 1, 1)
        .schedule()
        .reported("n1", running("9.0.1"))
        .after(Duration.ofSeconds(1));
    cluster.terms(elastic(5, 2, "t")).job(1, 1, 1).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("9.0"));
    cluster.node("n2", "B", "C").schedule();
    assertEquals("-", cluster.place("1.0"), "others leave for it");
    cluster.reported("n1", TaskReports.left("9.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
  }

  @Test
  void the_first_epoch_shows_what_memory_its_type_needs() {
    cluster.nodeWithReadings("n1", 24L << 30, 0, "A", "B");
    ResourceRequest measured = new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of());
    cluster.terms(elastic(0, 1, "t")).job(1, 1, measured).job(2, 1, measured).schedule();
    assertEquals(0, gpus("2.0"), "the type is measured");
    cluster.reported("n1", running("1.0.1"));
    told = told.measured(0.1, 10 << 10);
    epoch("1.0.1", 1, 10);
    assertEquals("n1[B]", cluster.place("2.0"));
  }

  @Test
  void a_training_without_a_most_keeps_what_it_asked_for() {
    cluster.node("n1", "A", "B", "C", "D");
    cluster
        .terms(
            new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, "t")
                .with(draft -> draft.training = TrainingTerms.of(EPOCHS)))
        .job(1, 1, 2)
        .schedule()
        .reported("n1", running("1.0.1"));
    epoch("1.0.1", 1, 10);
    epoch("1.0.1", 2, 10);
    assertEquals(2, gpus("1.0"));
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  /** A training that has run on two GPUs and on one, where the other was for somebody else. */
  private void trainingOnOneOfTwoBesideSlices() {
    cluster.node("n1", "A", "B", "MIG-1", "MIG-2", "MIG-3", "MIG-4", "MIG-5");
    training(1, 4);
    cluster.schedule().reported("n1", running("1.0.1"));
    assertEquals(2, gpus("1.0"));
    other(9, 1);
    cluster.schedule();
    epoch("1.0.1", 1, 6);
    leaves("1.0.1");
    assertEquals(1, gpus("1.0"));
    cluster.reported("n1", running("9.0.1"), running("1.0.2"));
    epoch("1.0.2", 2, 10);
    cluster.reported("n1", exited("9.0.1", 0), running("1.0.2").with(told));
  }

  @Test
  void it_gets_a_whole_gpu_that_becomes_free_beside_idle_slices_of_others() {
    trainingOnOneOfTwoBesideSlices();
    epoch("1.0.2", 3, 10);
    leaves("1.0.2");
    assertEquals(2, gpus("1.0"));
  }

  @Test
  void tasks_that_get_slices_at_that_moment_take_no_whole_gpu_from_it() {
    trainingOnOneOfTwoBesideSlices();
    cluster.terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.job(10, 7, new ResourceRequest(0, 1).withGpuModel("MIG"));
    epoch("1.0.2", 3, 10);
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
  }
}
