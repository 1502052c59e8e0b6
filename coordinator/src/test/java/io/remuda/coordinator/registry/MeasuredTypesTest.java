package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that ask for what their type needs: the first one shows it, the others share. */
class MeasuredTypesTest {
  private static final long GIB = 1L << 30;
  private static final ResourceRequest AUTO =
      new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of());

  private final TestCluster cluster = new TestCluster().commands();

  /** Two devices of 24 GiB. */
  private TestCluster twoDevices() {
    return twoDevices(0);
  }

  private TestCluster twoDevices(long used) {
    return cluster.nodeWithReadings("n1", 24 * GIB, used, "A", "B");
  }

  private TestCluster job(long id, int tasks, String type) {
    return cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, type))
        .job(id, tasks, AUTO);
  }

  private static TaskReport ended(
      String attempt, int code, Long peakGib, TaskEnd.Shortage shortage) {
    TaskEnd.GpuUse use = peakGib == null ? null : new TaskEnd.GpuUse(peakGib * GIB, 50);
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            code,
            null,
            "exit code " + code,
            null,
            null,
            1000L,
            use,
            shortage);
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end);
  }

  private static TaskReport good(String attempt, long peakGib) {
    return ended(attempt, 0, peakGib, null);
  }

  private static TaskReport outOfMemory(String attempt) {
    return ended(attempt, 1, null, TaskEnd.Shortage.GPU);
  }

  private long promisedGib(String task) {
    return cluster.placed(task).place().gpuMemory() / GIB;
  }

  @Test
  void the_first_of_a_type_has_a_device_for_itself_and_its_twins_wait() {
    twoDevices();
    job(1, 3, "train").schedule();
    assertEquals(List.of("n1[A]", "-", "-"), cluster.places("1.0", "1.1", "1.2"));
    assertEquals(
        List.of(new WaitReason.TypeMeasured("train", TaskId.parse("1.0"))),
        cluster.tasks.whyWaiting(TaskId.parse("1.1"), cluster.now()));
    cluster.reported("n1", running("1.0.1")).schedule();
    assertEquals("-", cluster.place("1.1"));
  }

  @Test
  void different_types_are_measured_at_the_same_time_and_never_on_one_device() {
    twoDevices();
    job(1, 1, "a");
    job(2, 1, "b");
    job(3, 1, "c").schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "-"), cluster.places("1.0", "2.0", "3.0"));
  }

  @Test
  void once_it_is_known_tasks_share_a_device_by_what_they_need() {
    twoDevices();
    job(1, 5, "train").schedule().reported("n1", good("1.0.1", 9)).schedule();
    assertEquals(
        List.of("n1[A]", "n1[A]", "n1[B]", "n1[B]"), cluster.places("1.1", "1.2", "1.3", "1.4"));
    assertEquals(9, promisedGib("1.1"));
    assertTrue(cluster.placed("1.1").place().gpuMemory() > 9 * GIB, "with a margin");
    assertEquals(
        cluster.placed("1.1").place().gpuMemory(),
        cluster.taskOrders("n1").get(0).job().request().gpuMemory());
  }

  @Test
  void a_run_that_used_more_counts_for_those_that_start_after_it() {
    twoDevices();
    job(1, 2, "train").schedule().reported("n1", good("1.0.1", 4)).schedule();
    job(2, 1, "train").reported("n1", good("1.1.1", 20)).schedule();
    assertEquals(21, promisedGib("2.0"));
  }

  @Test
  void a_failed_run_shows_nothing_and_the_next_is_measured() {
    twoDevices();
    job(1, 2, "train").schedule().reported("n1", ended("1.0.1", 3, 2L, null)).schedule();
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    assertEquals(ResourceRequest.AUTO, cluster.placed("1.1").place().gpuMemory());
    cluster.reported("n1", good("1.1.1", 1));
    job(2, 1, "train").schedule();
    assertEquals(2, promisedGib("2.0"), "no less than the failed one had used");
  }

  @Test
  void one_that_runs_out_of_memory_is_tried_again_with_half_as_much_more_before_others() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", good("1.0.1", 8));
    job(2, 6, "train").schedule();
    assertEquals(
        List.of("n1[A]", "n1[A]", "n1[B]", "n1[B]", "-", "-"),
        cluster.places("2.0", "2.1", "2.2", "2.3", "2.4", "2.5"));
    cluster
        .reported("n1", outOfMemory("2.0.1"), running("2.1.1"), running("2.2.1"), running("2.3.1"))
        .schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertEquals(12, promisedGib("2.0"));
    assertEquals("-", cluster.place("2.4"), "the others need as much from now on");
    cluster
        .reported("n1", running("2.0.2"), good("2.1.1", 8), running("2.2.1"), running("2.3.1"))
        .schedule();
    assertEquals("-", cluster.place("2.4"), "12.6 + 8.4 of 24 leave 3");
  }

  @Test
  void what_the_second_try_has_used_counts_and_no_longer_what_it_was_given() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", good("1.0.1", 8));
    job(2, 1, "train").schedule().reported("n1", outOfMemory("2.0.1")).schedule();
    assertEquals(12, promisedGib("2.0"));
    cluster.reported("n1", good("2.0.2", 9));
    job(3, 1, "train").schedule();
    assertEquals(9, promisedGib("3.0"));
  }

  @Test
  void one_that_does_not_fit_the_largest_device_fails() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", outOfMemory("1.0.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    cluster
        .job(2, 1, new ResourceRequest(0, 1, 0, 20 * GIB, null, Map.of()))
        .schedule()
        .reported("n1", outOfMemory("2.0.1"))
        .schedule();
    assertEquals(23, promisedGib("2.0"), "1.5 times is more than there is");
    cluster.reported("n1", outOfMemory("2.0.2"));
    assertEquals(TaskState.FAILED, cluster.state("2.0"));
  }

  @Test
  void twins_do_not_wait_for_a_node_that_is_silent() {
    twoDevices();
    job(1, 2, "train").schedule().reported("n1", running("1.0.1"));
    cluster.nodeWithMemory("n2", 24 * GIB, "C").schedule();
    assertEquals("-", cluster.place("1.1"));
    cluster.silent("n1").schedule();
    assertEquals(TaskState.UNKNOWN, cluster.state("1.0"));
    assertEquals("n2[C]", cluster.place("1.1"));
  }

  @Test
  void an_array_whose_first_task_is_known_waits_for_its_room_and_no_longer_for_the_first() {
    twoDevices();
    job(1, 6, "train").schedule().reported("n1", good("1.0.1", 20)).schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "-", "-", "-"), cluster.places(rest(6)));
    assertTrue(
        cluster.tasks.whyWaiting(TaskId.parse("1.5"), cluster.now()).get(0)
            instanceof WaitReason.TooLittleGpuMemory);
    cluster.cancel(1);
    assertEquals(Map.of(), cluster.tasks.waiting());
  }

  private static String[] rest(int tasks) {
    return IntStream.range(1, tasks).mapToObj(index -> "1." + index).toArray(String[]::new);
  }

  @Test
  void who_states_all_of_a_device_gets_an_idle_one_of_which_some_mebibytes_are_in_use() {
    twoDevices(300L << 20);
    cluster.job(1, 3, new ResourceRequest(0, 1, 0, 24 * GIB, null, Map.of()));
    cluster.job(2, 1, new ResourceRequest(0, 1, 0, GIB / 4, null, Map.of())).schedule();
    assertEquals(List.of("n1[A]", "n1[B]", "-", "-"), cluster.places("1.0", "1.1", "1.2", "2.0"));
  }

  @Test
  void a_type_that_needs_nearly_all_of_a_device_still_fits_one() {
    twoDevices();
    job(1, 2, "train").schedule().reported("n1", ended("1.0.1", 0, 24L, null)).schedule();
    assertEquals("n1[A]", cluster.place("1.1"));
    assertEquals(23, promisedGib("1.1"));
  }

  @Test
  void a_run_that_was_not_seen_on_its_device_shows_nothing() {
    twoDevices();
    job(1, 2, "train").schedule().reported("n1", good("1.0.1", 0)).schedule();
    assertEquals(ResourceRequest.AUTO, cluster.placed("1.1").place().gpuMemory());
  }

  @Test
  void a_type_whose_runs_use_no_memory_three_times_gets_the_least_and_shares() {
    twoDevices();
    job(1, 5, "train");
    for (String run : List.of("1.0.1", "1.1.1", "1.2.1")) {
      cluster.schedule();
      assertEquals("-", cluster.place("1.3"), "each of the first runs has a device to itself");
      cluster.reported("n1", good(run, 0));
    }
    cluster.schedule();
    assertEquals(List.of("n1[A]", "n1[A]"), cluster.places("1.3", "1.4"));
    assertEquals(64L << 20, cluster.placed("1.3").place().gpuMemory());
  }

  @Test
  void a_run_that_took_nearly_all_of_its_device_is_noted_with_how_much_that_is() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", good("1.0.1", 23));
    assertEquals(OptionalInt.of(95), newestProfile().nearlyAllPercent());
    job(2, 1, "small").schedule().reported("n1", good("2.0.1", 20));
    assertEquals(OptionalInt.empty(), newestProfile().nearlyAllPercent());
  }

  private Profile newestProfile() {
    List<Profiles.Change> changes = cluster.tasks.takeProfiles();
    return changes.get(changes.size() - 1).profile().orElseThrow();
  }

  @Test
  void a_failed_run_without_use_does_not_count_as_one_that_needs_none() {
    twoDevices();
    job(1, 5, "train");
    for (String run : List.of("1.0.1", "1.1.1", "1.2.1")) {
      cluster.schedule().reported("n1", ended(run, 1, 0L, null));
    }
    cluster.schedule();
    assertEquals(ResourceRequest.AUTO, cluster.placed("1.3").place().gpuMemory());
  }

  @Test
  void short_runs_that_share_show_only_that_more_is_needed() {
    twoDevices();
    job(1, 30, "train").schedule().reported("n1", good("1.0.1", 8));
    for (int round = 0; round < 10; round++) {
      cluster.schedule();
      TaskReport[] ends =
          cluster.orders("n1").stream().map(one -> good(one, 1)).toArray(TaskReport[]::new);
      cluster.reported("n1", ends);
    }
    job(2, 1, "train").schedule();
    assertEquals(8, promisedGib("2.0"), "a second is too short to be seen well");
  }

  @Test
  void more_is_tried_up_to_the_largest_device_of_the_nodes_that_will_do() {
    twoDevices();
    cluster.nodeWithMemory("n2", 80 * GIB, "C");
    cluster
        .job(1, 1, new ResourceRequest(0, 1, 0, 22 * GIB, null, Map.of("node", "n1")))
        .schedule()
        .reported("n1", outOfMemory("1.0.1"))
        .schedule();
    assertEquals(23, promisedGib("1.0"), "n2 has more, but will not do");
    cluster.reported("n1", outOfMemory("1.0.2"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }

  @Test
  void what_was_forgotten_is_measured_again() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", good("1.0.1", 8));
    assertTrue(cluster.tasks.forgetProfile(new JobType("ann", "train")));
    job(2, 2, "train").schedule();
    assertEquals(ResourceRequest.AUTO, cluster.placed("2.0").place().gpuMemory());
    assertEquals("-", cluster.place("2.1"));
  }

  @Test
  void the_types_of_others_say_nothing_of_ones_own() {
    twoDevices();
    job(1, 1, "train").schedule().reported("n1", good("1.0.1", 8));
    cluster.of("bob");
    job(2, 1, "train").schedule();
    assertEquals(ResourceRequest.AUTO, cluster.placed("2.0").place().gpuMemory());
  }
}
