package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A node of 4 cores, of which a task of a known type, with a limit of an hour, has two. Job 20
 * wants all four and waits; job 21 wants one, and nothing but its type says how long it takes.
 */
class PassedJobsTest {

  private static final JobTerms PLAIN =
      new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null);
  private static final JobTerms PREEMPTIBLE =
      PLAIN.with(
          draft ->
              draft.preemption = new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000));
  private static final ResourceRequest ONE = new ResourceRequest(1, 0);

  private final TestCluster cluster = new TestCluster().node("n1").commands();

  /** Ten tasks of one core have taken ten minutes each. */
  private PassedJobsTest known() {
    for (int job = 1; job <= 10; job++) {
      cluster.of("ann").terms(PLAIN).job(job, 1, ONE).schedule();
      cluster.reported("n1", exitedAfter(job + ".0.1", 600_000)).schedule();
    }
    return this;
  }

  /** A task of two cores with a limit of an hour runs, and a large job has waited for long. */
  private PassedJobsTest full() {
    cluster.of("bob").limited().job(19, 1, new ResourceRequest(2, 0)).schedule();
    cluster.reported("n1", running("19.0.1")).schedule();
    cluster.of("ann").terms(PLAIN).job(20, 1, new ResourceRequest(4, 0)).schedule();
    cluster.after(Duration.ofMinutes(2)).schedule();
    return this;
  }

  private void passes(JobTerms terms) {
    cluster.terms(terms).job(21, 1, ONE).schedule();
    assertEquals("n1[]", cluster.place("21.0"));
    cluster.reported("n1", running("19.0.1"), running("21.0.1"));
  }

  private List<Profile> stored() {
    return cluster.tasks.takeProfiles().stream()
        .flatMap((Profiles.Change one) -> one.profile().stream())
        .toList();
  }

  @Test
  void nothing_passes_as_long_as_too_few_tasks_of_its_type_have_ended() {
    full();
    cluster.job(21, 1, ONE).schedule();
    assertEquals("-", cluster.place("21.0"));
  }

  @Test
  void a_task_passes_by_what_its_type_took_and_one_that_is_right_costs_nothing() {
    known().full().passes(PLAIN);
    stored();
    cluster
        .after(Duration.ofMinutes(9))
        .reported("n1", running("19.0.1"), exitedAfter("21.0.1", 540_000))
        .schedule();
    assertTrue(stored().stream().allMatch(one -> one.times().doubts() == 0));
  }

  @Test
  void a_task_that_would_take_longer_than_the_tasks_of_the_node_does_not_pass() {
    known().full();
    cluster.after(Duration.ofMinutes(49)).schedule();
    cluster.terms(PLAIN).job(21, 1, ONE).schedule();
    assertEquals("-", cluster.place("21.0"));
  }

  @Test
  void a_type_that_was_wrong_is_trusted_less_and_its_task_goes_on_unless_it_is_preemptible() {
    known().full().passes(PLAIN);
    stored();
    cluster.after(Duration.ofMinutes(11)).schedule();
    assertEquals(List.of(1), stored().stream().map(one -> one.times().doubts()).toList());
    cluster.after(Duration.ofMinutes(1)).schedule();
    assertEquals(List.of(), stored(), "once for each task");
    assertEquals(TaskState.RUNNING, cluster.state("21.0"));
    cluster.job(22, 1, ONE).schedule();
    assertEquals("n1[]", cluster.place("22.0"), "20 minutes are still short enough");
  }

  @Test
  void a_preemptible_task_that_was_wrong_makes_room_once_the_job_can_start_without_it() {
    known().full().passes(PREEMPTIBLE);
    cluster.after(Duration.ofMinutes(11)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("21.0"), "it would help nobody yet");
    cluster
        .after(Duration.ofMinutes(1))
        .reported("n1", exited("19.0.1", 0), running("21.0.1"))
        .schedule();
    assertEquals(TaskState.STOPPING, cluster.state("21.0"));
    cluster.after(Duration.ofSeconds(2)).reported("n1", left("21.0.1")).schedule();
    assertEquals("n1[]", cluster.place("20.0"));
    assertEquals(TaskState.WAITING, cluster.state("21.0"));
  }

  @Test
  void a_task_that_takes_no_longer_than_its_type_did_leaves_for_nobody() {
    known().full().passes(PREEMPTIBLE);
    cluster
        .after(Duration.ofMinutes(9))
        .reported("n1", exited("19.0.1", 0), running("21.0.1"))
        .schedule();
    assertEquals(TaskState.RUNNING, cluster.state("21.0"));
  }
}
