package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.exited;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.running;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PreemptionsTest {

  private static final PreemptionTerms AT_ONCE =
      new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000);

  private final TestCluster cluster = new TestCluster().commands();

  private static JobTerms terms(int priority, boolean gang) {
    return new JobTerms(gang, PlacementPolicy.PACK, priority, List.of(), 0, 0, null);
  }

  private TestCluster preemptible(int priority) {
    return cluster.terms(terms(priority, false).with(draft -> draft.preemption = AT_ONCE));
  }

  private TestCluster urgent(int priority) {
    return cluster.terms(terms(priority, false));
  }

  /** The node reports that these attempts run, and a cycle follows a second later. */
  private void runs(String node, String... attempts) {
    cluster
        .reported(node, Stream.of(attempts).map(TaskReports::running).toArray(TaskReport[]::new))
        .after(Duration.ofSeconds(1))
        .schedule();
  }

  private List<TaskState> states(String... tasks) {
    return Stream.of(tasks).map(cluster::state).toList();
  }

  @Test
  void a_task_of_higher_priority_gets_the_place_of_a_preemptible_one() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    assertEquals("preempted by task 2.0", cluster.task("1.0").cause());
    assertEquals(List.of(), cluster.orders("n1"), "its node is to end it");
    assertEquals(
        new WaitReason.OthersLeave(List.of(TaskId.parse("1.0")), 30),
        cluster.tasks.whyWaiting(TaskId.parse("2.0"), cluster.now()).get(0));
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("2.0"));
    assertEquals(TaskState.WAITING, cluster.state("1.0"));
    assertEquals(1, cluster.task("1.0").preemptions());
    assertEquals(0, cluster.task("1.0").interruptions(), "it is no failure and no retry");
    cluster.reported("n1", exited("2.0.1", 0)).schedule();
    assertEquals("n1[A]", cluster.place("1.0"));
  }

  @Test
  void a_task_of_the_same_priority_or_without_need_of_its_place_waits() {
    preemptible(5).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    urgent(9).job(3, 1, 2);
    runs("n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"), "two GPUs are not there at all");
  }

  @Test
  void a_task_that_is_not_preemptible_keeps_its_place() {
    urgent(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
  }

  @Test
  void no_more_leave_than_are_needed_and_the_lowest_and_newest_first() {
    preemptible(2).node("n1", "A", "B", "C").job(1, 1, 1).schedule();
    preemptible(1).job(2, 1, 1).schedule();
    cluster.reported("n1", running("1.0.1"), running("2.0.1")).after(Duration.ofMinutes(5));
    preemptible(1).job(3, 1, 1).schedule();
    urgent(5).job(4, 1, 1);
    runs("n1", "1.0.1", "2.0.1", "3.0.1");
    assertEquals(
        List.of(TaskState.RUNNING, TaskState.RUNNING, TaskState.STOPPING),
        states("1.0", "2.0", "3.0"));
  }

  @Test
  void no_more_leave_than_may_run_of_an_array_at_once() {
    preemptible(0).node("n1", "A", "B", "C", "D").job(1, 4, 1).schedule();
    cluster.terms(terms(5, false).with(draft -> draft.maxRunning = 2)).job(2, 8, 1);
    runs("n1", "1.0.1", "1.1.1", "1.2.1", "1.3.1");
    runs("n1", "1.0.1", "1.1.1", "1.2.1", "1.3.1");
    List<String> stopping =
        Stream.of("1.0", "1.1", "1.2", "1.3")
            .filter(task -> cluster.state(task) == TaskState.STOPPING)
            .toList();
    assertEquals(2, stopping.size());
    cluster
        .reported(
            "n1",
            Stream.of("1.0", "1.1", "1.2", "1.3")
                .map(task -> stopping.contains(task) ? left(task + ".1") : running(task + ".1"))
                .toArray(TaskReport[]::new))
        .schedule();
    assertEquals(
        List.of(TaskState.STARTING, TaskState.STARTING, TaskState.WAITING),
        states("2.0", "2.1", "2.2"));
    cluster.after(Duration.ofSeconds(1)).schedule().after(Duration.ofSeconds(1)).schedule();
    assertEquals(2, cluster.orders("n1").stream().filter(order -> order.startsWith("1.")).count());
  }

  @Test
  void while_one_leaves_nobody_else_is_asked_for_the_same_task() {
    preemptible(0).node("n1", "A", "B").job(1, 2, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1", "1.1.1");
    for (int i = 0; i < 10; i++) {
      runs("n1", "1.0.1", "1.1.1");
    }
    assertEquals(1, states("1.0", "1.1").stream().filter(TaskState.STOPPING::equals).count());
  }

  @Test
  void each_of_several_urgent_tasks_gets_a_place() {
    preemptible(0).node("n1", "A", "B", "C").job(1, 3, 1).schedule();
    urgent(5).job(2, 2, 1);
    runs("n1", "1.0.1", "1.1.1", "1.2.1");
    List<TaskState> states = states("1.0", "1.1", "1.2");
    assertEquals(2, states.stream().filter(TaskState.STOPPING::equals).count(), () -> "" + states);
  }

  @Test
  void of_two_urgent_tasks_the_one_of_higher_priority_gets_the_only_place() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    urgent(10).job(3, 1, 1);
    runs("n1", "1.0.1");
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("3.0"));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  void one_of_higher_priority_takes_over_the_place_for_which_another_leaves() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    urgent(10).job(3, 1, 1);
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals(
        new WaitReason.OthersLeave(List.of(TaskId.parse("1.0")), 30),
        cluster.tasks.whyWaiting(TaskId.parse("3.0"), cluster.now()).get(0));
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("3.0"));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  void who_lost_a_place_to_a_higher_priority_gets_that_of_another() {
    preemptible(0).node("n1", "A", "B").job(1, 2, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1", "1.1.1");
    urgent(10).job(3, 2, 1);
    for (int second = 0; second < 3; second++) {
      cluster.after(Duration.ofSeconds(1)).schedule();
    }
    assertEquals(List.of(TaskState.STOPPING, TaskState.STOPPING), states("1.0", "1.1"));
    cluster.reported("n1", left("1.0.1"), left("1.1.1")).schedule();
    cluster.schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.STARTING), states("3.0", "3.1"));
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  void one_of_higher_priority_that_comes_when_the_place_is_free_gets_it() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    urgent(10).job(3, 1, 1);
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("3.0"));
  }

  @Test
  void many_classes_that_nobody_can_help_do_not_keep_another_from_being_helped() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    for (int job = 2; job <= 30; job++) {
      urgent(50 + job).job(job, 1, 2); // two GPUs are not there
    }
    urgent(5).job(40, 1, 1);
    runs("n1", "1.0.1");
    for (int second = 0; second < 10; second++) {
      cluster.after(Duration.ofSeconds(1)).schedule();
    }
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
  }

  @Test
  void a_task_that_needs_the_places_of_hundreds_gets_them() {
    String[] gpus = IntStream.range(0, 260).mapToObj(number -> "G" + number).toArray(String[]::new);
    preemptible(0).node("n1", gpus).job(1, 260, 1).schedule();
    urgent(5).job(2, 1, 256);
    runs("n1", IntStream.range(0, 260).mapToObj(task -> "1." + task + ".1").toArray(String[]::new));
    long leaving =
        IntStream.range(0, 260)
            .filter(task -> cluster.state("1." + task) == TaskState.STOPPING)
            .count();
    assertEquals(256, leaving);
  }

  @Test
  void what_becomes_free_is_kept_from_tasks_of_lower_priority() {
    preemptible(0).node("n1", "A", "B").job(1, 2, 1).schedule();
    urgent(5).job(2, 1, 2);
    preemptible(0).job(3, 1, 1);
    runs("n1", "1.0.1", "1.1.1");
    assertEquals(List.of(TaskState.STOPPING, TaskState.STOPPING), states("1.0", "1.1"));
    cluster.reported("n1", left("1.0.1"), running("1.1.1")).schedule();
    assertEquals(
        List.of(TaskState.WAITING, TaskState.WAITING), states("1.0", "3.0"), "A is kept for job 2");
    cluster.reported("n1", left("1.1.1")).schedule();
    assertTrue(cluster.place("2.0").startsWith("n1["), cluster.place("2.0"));
  }

  @Test
  void what_is_free_beside_those_who_leave_is_for_anybody_if_these_have_all_that_is_needed() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    preemptible(0).job(3, 1, 0).schedule();
    assertEquals("n1[]", cluster.place("3.0"), "it wants no GPU");
    cluster.reported("n1", left("1.0.1"), running("3.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("2.0"));
  }

  private TestCluster slowToLeave() {
    return cluster.terms(
        terms(0, false)
            .with(
                draft -> {
                  draft.preemption = AT_ONCE;
                  draft.ending = new EndingTerms(Duration.ofMinutes(2).toMillis(), null);
                }));
  }

  @Test
  void all_tasks_for_which_others_take_long_to_leave_start_elsewhere() {
    slowToLeave().node("n1", "A", "B").job(1, 2, 1).schedule();
    urgent(9).node("n2", "C", "D").job(2, 1, 2).schedule();
    urgent(5).job(3, 2, 1);
    urgent(0).job(4, 1, 1);
    cluster.reported("n2", running("2.0.1"));
    runs("n1", "1.0.1", "1.1.1");
    assertEquals(List.of(TaskState.STOPPING, TaskState.STOPPING), states("1.0", "1.1"));
    cluster.reported("n2", exited("2.0.1", 0)).schedule();
    assertEquals(List.of("n2[C]", "n2[D]", "-"), cluster.places("3.0", "3.1", "4.0"));
  }

  @Test
  void one_for_whom_others_take_long_to_leave_starts_elsewhere_if_there_is_room_before() {
    slowToLeave();
    cluster.node("n1", "A").job(1, 1, 1).schedule();
    urgent(9).node("n2", "B").job(2, 1, 1).schedule();
    urgent(5).job(3, 1, 1);
    cluster.reported("n2", running("2.0.1"));
    runs("n1", "1.0.1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    cluster.reported("n2", exited("2.0.1", 0)).schedule();
    assertEquals("n2[B]", cluster.place("3.0"));
    cluster.reported("n1", left("1.0.1")).schedule();
    assertEquals("n1[A]", cluster.place("1.0"), "nobody else wants it");
  }

  @Test
  void a_gang_leaves_as_a_whole_and_waits_as_one() {
    cluster
        .terms(terms(0, true).with(draft -> draft.preemption = AT_ONCE))
        .node("n1", "A")
        .node("n2", "B");
    cluster.job(1, 2, 1).schedule();
    urgent(5).job(2, 1, 1);
    cluster.reported("n2", running("1.1.1"));
    runs("n1", "1.0.1");
    assertEquals(List.of(TaskState.STOPPING, TaskState.STOPPING), states("1.0", "1.1"));
    cluster.reported("n1", left("1.0.1")).reported("n2", left("1.1.1")).schedule();
    assertTrue(cluster.place("2.0").startsWith("n"), cluster.place("2.0"));
    assertEquals(List.of("-", "-"), cluster.places("1.0", "1.1"), "both wait for both places");
  }

  @Test
  void a_gang_of_higher_priority_gets_all_its_places() {
    preemptible(0).node("n1", "A", "B").node("n2", "C", "D").job(1, 4, 1).schedule();
    cluster.terms(terms(5, true)).job(2, 3, 1);
    List<String> attempts = new ArrayList<>(List.of("1.0.1", "1.1.1"));
    cluster.reported("n2", running("1.2.1"), running("1.3.1"));
    runs("n1", attempts.toArray(String[]::new));
    assertEquals(
        3, states("1.0", "1.1", "1.2", "1.3").stream().filter(TaskState.STOPPING::equals).count());
  }

  @Test
  void a_gang_for_which_others_leave_keeps_the_free_nodes_that_it_needs_too() {
    preemptible(0).node("n2", "C", "D").job(1, 2, 1).schedule();
    cluster.node("n1", "A", "B");
    cluster.terms(terms(5, true)).job(2, 2, 2);
    runs("n2", "1.0.1", "1.1.1");
    assertEquals(List.of(TaskState.STOPPING, TaskState.STOPPING), states("1.0", "1.1"));
    preemptible(0).job(3, 2, 1).schedule();
    assertEquals(
        List.of(TaskState.WAITING, TaskState.WAITING),
        states("3.0", "3.1"),
        "a free node that the gang needs is not given away meanwhile");
    cluster.reported("n2", left("1.0.1"), left("1.1.1")).schedule();
    assertEquals(List.of(TaskState.STARTING, TaskState.STARTING), states("2.0", "2.1"));
  }

  @Test
  void it_runs_for_its_minimum_time_and_is_asked_at_most_so_often() {
    PreemptionTerms once = new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 60_000, 1);
    cluster
        .terms(terms(0, false).with(draft -> draft.preemption = once))
        .node("n1", "A")
        .job(1, 1, 1)
        .schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    assertEquals(TaskState.RUNNING, cluster.state("1.0"));
    cluster.after(Duration.ofMinutes(1)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    cluster.reported("n1", left("1.0.1")).schedule().reported("n1", running("2.0.1"));
    cluster.reported("n1", exited("2.0.1", 0)).schedule();
    urgent(5).job(3, 1, 1);
    runs("n1", "1.0.2");
    cluster.after(Duration.ofMinutes(2)).schedule();
    assertEquals(TaskState.RUNNING, cluster.state("1.0"), "once was the most");
  }

  @Test
  void a_task_may_be_held_or_cancelled_instead() {
    PreemptionTerms hold = new PreemptionTerms(null, PreemptionTerms.Then.HOLD, 0, 9);
    PreemptionTerms cancel = new PreemptionTerms(null, PreemptionTerms.Then.CANCEL, 0, 9);
    cluster.node("n1", "A").node("n2", "B");
    cluster.terms(terms(0, false).with(draft -> draft.preemption = hold)).job(1, 1, 1).schedule();
    cluster.terms(terms(0, false).with(draft -> draft.preemption = cancel)).job(2, 1, 1).schedule();
    urgent(5).job(3, 2, 1);
    cluster.reported("n2", running("2.0.1"));
    runs("n1", "1.0.1");
    assertEquals(List.of(TaskState.STOPPING, TaskState.ENDING), states("1.0", "2.0"));
    cluster.reported("n1", left("1.0.1")).reported("n2", left("2.0.1")).schedule();
    assertEquals(List.of(TaskState.HELD, TaskState.CANCELLED), states("1.0", "2.0"));
  }

  @Test
  void one_that_ends_by_itself_before_it_was_asked_has_its_result() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    urgent(5).job(2, 1, 1);
    runs("n1", "1.0.1");
    cluster.reported("n1", exited("1.0.1", 0));
    assertEquals(TaskState.SUCCEEDED, cluster.state("1.0"));
  }

  @Test
  void one_that_is_cancelled_while_it_leaves_is_cancelled() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", running("1.0.1")).leave(1).cancel(1);
    assertEquals(TaskState.ENDING, cluster.state("1.0"));
    cluster.reported("n1", left("1.0.1"));
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
  }

  @Test
  void the_run_time_counts_as_lost() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", running("1.0.1")).after(Duration.ofSeconds(90)).leave(1);
    cluster.reported("n1", left("1.0.1"));
    assertEquals(90_000, cluster.task("1.0").history().lostMillis());
  }

  @Test
  void one_whose_node_falls_silent_meanwhile_waits_for_the_deadline() {
    preemptible(0).node("n1", "A").job(1, 1, 1).schedule();
    cluster.reported("n1", running("1.0.1")).leave(1).silent("n1");
    assertEquals(TaskState.STOPPING, cluster.state("1.0"));
    cluster.joined("n1").reported("n1");
    assertEquals(TaskState.WAITING, cluster.state("1.0"), "its node no longer has it");
  }

  /** Ann's two tasks hold both GPUs; then Bob's one waits for a GPU, with the same priority. */
  private static TestCluster annHoldsAllAndBobWaits(
      SchedulingSettings.Claims claims, Duration held) {
    SchedulingSettings sharing =
        new SchedulingSettings(
            Duration.ofMinutes(1), Duration.ofDays(1), Duration.ZERO, Duration.ZERO, claims);
    TestCluster shared =
        new TestCluster(
                new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
                sharing)
            .commands()
            .terms(terms(0, false).with(draft -> draft.preemption = AT_ONCE))
            .of("ann")
            .node("n1", "A", "B")
            .job(1, 2, 1)
            .schedule()
            .reported("n1", running("1.0.1"), running("1.1.1"))
            .after(held);
    return shared
        .of("bob")
        .job(2, 1, 1)
        .reported("n1", running("1.0.1"), running("1.1.1"))
        .schedule();
  }

  private static long leaving(TestCluster shared) {
    return Stream.of("1.0", "1.1").filter(task -> shared.state(task) == TaskState.STOPPING).count();
  }

  @Test
  void by_fair_share_one_task_leaves_for_a_user_who_has_used_little() {
    Duration hours = Duration.ofHours(3);
    assertEquals(1, leaving(annHoldsAllAndBobWaits(SchedulingSettings.Claims.FAIR_SHARE, hours)));
    assertEquals(0, leaving(annHoldsAllAndBobWaits(SchedulingSettings.Claims.PRIORITY, hours)));
  }

  @Test
  void by_fair_share_none_leaves_for_a_user_who_has_as_much() {
    TestCluster shared =
        annHoldsAllAndBobWaits(SchedulingSettings.Claims.FAIR_SHARE, Duration.ofSeconds(1));
    String left = shared.state("1.0") == TaskState.STOPPING ? "1.0.1" : "1.1.1";
    String stays = left.equals("1.0.1") ? "1.1.1" : "1.0.1";
    shared.reported("n1", left(left), running(stays)).schedule();
    shared
        .job(3, 1, 1)
        .reported("n1", running(stays), running("2.0.1"))
        .after(Duration.ofMinutes(5))
        .schedule();
    assertEquals(0, leaving(shared), "each has one");
  }
}
