package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Types that slow each other down on one device are not put there together again. Each run takes 20
 * seconds alone and uses 4 GiB of a device of 24.
 */
class PairedTypesTest {
  private static final long GIB = 1L << 30;
  private static final long ALONE = 20;
  private static final ResourceRequest AUTO =
      new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of());

  private TestCluster cluster;

  @BeforeEach
  void twoDevicesAndTwoKnownTypes() {
    cluster = twoDevices();
    job(1, "a").job(2, "b");
    together(ALONE, "1.0.1", "2.0.1");
  }

  private static TestCluster twoDevices() {
    return new TestCluster().commands().nodeWithReadings("n1", 24 * GIB, 0, "A", "B");
  }

  private PairedTypesTest job(long id, String type) {
    return tasks(id, 1, type);
  }

  private PairedTypesTest tasks(long id, int tasks, String type) {
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, type))
        .job(id, tasks, AUTO);
    return this;
  }

  private static TaskReport good(String attempt, double seconds) {
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            0,
            null,
            "exit code 0",
            null,
            null,
            Math.round(seconds * 1000),
            new TaskEnd.GpuUse(4 * GIB, null),
            null);
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end);
  }

  /** What waits starts, and these run and end after so long. */
  private void together(double seconds, String... attempts) {
    cluster.schedule();
    cluster.reported("n1", all(attempts, TaskReports::running));
    cluster.after(Duration.ofMillis(Math.round(seconds * 1000)));
    cluster.reported("n1", all(attempts, attempt -> good(attempt, seconds)));
  }

  private static TaskReport[] all(String[] attempts, Function<String, TaskReport> report) {
    return Stream.of(attempts).map(report).toArray(TaskReport[]::new);
  }

  private List<WaitReason> why(String task) {
    return cluster.tasks.whyWaiting(TaskId.parse(task), cluster.now());
  }

  @Test
  void two_that_have_half_of_their_speed_each_are_apart_the_second_time() {
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[B]"), cluster.places("5.0", "6.0"));
  }

  @Test
  void two_that_have_seven_tenths_each_stay_together() {
    job(3, "a").job(4, "b").together(ALONE / 0.7, "3.0.1", "4.0.1");
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("5.0", "6.0"));
  }

  @Test
  void one_that_comes_while_the_other_runs_gets_another_device() {
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    job(5, "a").cluster.schedule().reported("n1", running("5.0.1"));
    job(6, "b").job(7, "a").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "n1[A]"), cluster.places("5.0", "6.0", "7.0"));
  }

  @Test
  void who_was_cancelled_is_no_company_any_more() {
    job(3, "a").job(4, "b").cluster.schedule().reported("n1", running("3.0.1"), running("4.0.1"));
    cluster.after(Duration.ofSeconds(10)).cancel(4).reported("n1", running("3.0.1"));
    cluster.after(Duration.ofSeconds(15)).reported("n1", good("3.0.1", 25));
    assertEquals(List.of(), stored(cluster).get(0).speeds().beside(), "10 of 25 are too little");
  }

  @Test
  void before_they_were_measured_they_share() {
    job(3, "a").job(4, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("3.0", "4.0"));
  }

  @Test
  void where_no_device_is_left_one_waits_until_the_other_has_ended() {
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    cluster.job(9, 1, new ResourceRequest(0, 1)).schedule(); // has a device for itself
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "-"), cluster.places("9.0", "5.0", "6.0"));
    assertEquals(List.of(new WaitReason.SlowTogether("n1", "a", 100)), why("6.0"));
    cluster.reported("n1", running("9.0.1"), good("5.0.1", ALONE)).schedule();
    assertEquals("n1[B]", cluster.place("6.0"));
  }

  @Test
  void tasks_of_one_type_that_slow_each_other_down_are_apart() {
    tasks(3, 2, "a").together(2 * ALONE, "3.0.1", "3.1.1");
    tasks(5, 3, "a").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "-"), cluster.places("5.0", "5.1", "5.2"));
    assertEquals(List.of(new WaitReason.SlowTogether("n1", "a", 100)), why("5.2"));
  }

  @Test
  void what_was_forgotten_may_be_together_again() {
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    assertTrue(cluster.tasks.forgetProfile(new JobType("ann", "a")));
    job(5, "a").together(ALONE, "5.0.1");
    job(6, "a").job(7, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("6.0", "7.0"));
  }

  @Test
  void a_third_one_makes_that_nobody_knows_who_was_slow() {
    job(3, "a").job(4, "b").job(5, "b").together(3 * ALONE, "3.0.1", "4.0.1", "5.0.1");
    job(6, "a").job(7, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("6.0", "7.0"));
  }

  @Test
  void the_next_coordinator_knows_it_from_the_profiles() {
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    List<Profile> known = stored(cluster);
    cluster = twoDevices();
    cluster.tasks.restoreProfiles(known);
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[B]"), cluster.places("5.0", "6.0"));
  }

  @Test
  void runs_that_an_earlier_coordinator_has_seen_begin_show_nothing() {
    job(3, "a").job(4, "b").cluster.schedule().reported("n1", running("3.0.1"), running("4.0.1"));
    TestCluster before = cluster;
    cluster = twoDevices();
    cluster.tasks.restoreProfiles(stored(before));
    for (long id : List.of(3L, 4L)) {
      cluster.tasks.restore(
          new RestoredJob(
              before.tasks.job(new JobId(id)).orElseThrow(),
              Set.of(),
              TaskState.WAITING,
              null,
              before.tasks.of(new JobId(id)),
              new EndedTasks(),
              GangStart.NONE,
              cluster.now(),
              null),
          cluster.now());
    }
    cluster.joined("n1", running("3.0.1"), running("4.0.1")).after(Duration.ofSeconds(2 * ALONE));
    cluster.reported("n1", good("3.0.1", 2 * ALONE), good("4.0.1", 2 * ALONE));
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("5.0", "6.0"));
  }

  /** What a store has of the types. */
  private static List<Profile> stored(TestCluster cluster) {
    return cluster.tasks.takeProfiles().stream()
        .map(Profiles.Change::profile)
        .flatMap(Optional::stream)
        .toList();
  }

  @Test
  void how_long_a_lease_lasts_says_nothing_until_two_alone_took_the_same() {
    cluster.leases();
    job(3, "a").job(4, "b").together(2 * ALONE, "3.0.1", "4.0.1");
    job(5, "a").job(6, "b").cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("5.0", "6.0"));
  }
}
