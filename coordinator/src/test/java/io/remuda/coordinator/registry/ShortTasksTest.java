package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.ending;
import static io.remuda.coordinator.registry.TaskReports.exitedAfter;
import static io.remuda.coordinator.registry.TaskReports.left;
import static io.remuda.coordinator.registry.TaskReports.leftAfter;
import static io.remuda.coordinator.registry.TaskReports.notBegun;
import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.starting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node of four cores is given more short tasks than it has room for. */
class ShortTasksTest {

  private static final ResourceRequest TWO_CORES = new ResourceRequest(2, 0);

  private final TestCluster cluster =
      new TestCluster(
              TestCluster.PATIENT,
              new SchedulingSettings(
                  Duration.ofMinutes(1),
                  Duration.ofDays(1),
                  Duration.ofMinutes(5),
                  Duration.ofMillis(200)))
          .commands();

  private TestCluster array(int tasks) {
    return cluster.node("n1").job(1, tasks, TWO_CORES).schedule();
  }

  /** How many tasks each slot of a node has. */
  private List<Integer> slots() {
    Map<Long, Integer> counts = new TreeMap<>();
    cluster.taskOrders("n1").forEach(order -> counts.merge(order.slot(), 1, Integer::sum));
    return List.copyOf(counts.values());
  }

  @Test
  void nothing_is_sent_ahead_before_it_is_known_how_long_a_task_takes() {
    array(100);
    assertEquals(List.of(1, 1), slots());
  }

  @Test
  void short_tasks_follow_each_other_in_slots_that_are_filled_alike() {
    array(100).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    assertEquals(List.of(10, 10), slots());
  }

  @Test
  void a_job_whose_first_task_is_sent_ahead_has_started_for_those_who_were_shown_when() {
    array(21).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster.job(2, 2, TWO_CORES).after(Duration.ofSeconds(1)).schedule();
    cluster.tasks.begin(0, cluster.now());
    cluster.tasks.forecast(cluster.nodes.all(), cluster.now());
    cluster.tasks.takeProfiles();
    cluster.reported("n1", exitedAfter("1.1.1", 20), running("1.2.1")).schedule();
    assertEquals(TaskState.STARTING, cluster.state("2.0"));
    assertTrue(
        cluster.tasks.takeProfiles().stream().anyMatch(one -> one.type().equals(Profile.CLUSTER)));
  }

  @Test
  void the_last_ones_are_spread_over_the_slots() {
    array(9).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    assertEquals(List.of(4, 4), slots());
  }

  @Test
  void tasks_that_take_half_of_the_time_ahead_or_more_are_not_sent_ahead() {
    array(100).reported("n1", exitedAfter("1.0.1", 120), running("1.1.1")).schedule();
    assertEquals(List.of(1, 1), slots());
  }

  @Test
  void what_waits_for_its_turn_takes_no_room_and_is_no_running_task() {
    array(100).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    NodeOffer offer = cluster.tasks.offers(cluster.nodes.all(), cluster.now()).get(0);
    assertEquals(0, offer.cpus().free());
    assertEquals(2, cluster.tasks.placedOn("n1"));
  }

  @Test
  void a_slot_is_free_only_when_its_last_task_has_ended() {
    array(3).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster.reported("n1", running("1.2.1"), exitedAfter("1.1.1", 20)).schedule();
    NodeOffer offer = cluster.tasks.offers(cluster.nodes.all(), cluster.now()).get(0);
    assertEquals(2000, offer.cpus().free());
  }

  @Test
  void another_line_whose_turn_it_is_gets_the_next_room() {
    array(100).of("bob").job(2, 1, new ResourceRequest(3, 0));
    cluster.reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
    cluster.reported("n1", exitedAfter("1.1.1", 20));
    String live = String.join(" ", cluster.orders("n1"));
    assertTrue(slots().stream().allMatch(count -> count == 1), live);
  }

  @Test
  void what_was_given_back_waits_again_and_is_not_sent_ahead_soon() {
    array(6).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster.reported(
        "n1",
        running("1.1.1"),
        running("1.2.1"),
        notBegun("1.3.1"),
        starting("1.4.1"),
        notBegun("1.5.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.3"));
    cluster.schedule();
    assertEquals(List.of(1, 2), slots());
    cluster.reported("n1", running("1.1.1"), exitedAfter("1.2.1", 20), running("1.4.1")).schedule();
    assertEquals(List.of("1.1.1", "1.4.1"), cluster.orders("n1"));
    assertEquals(0, cluster.task("1.3").interruptions());
  }

  @Test
  void an_attempt_that_was_refused_is_no_try() {
    array(4).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster
        .reported("n1", exitedAfter("1.1.1", 20), running("1.2.1"), notBegun("1.3.1"))
        .after(Duration.ofSeconds(1))
        .schedule();
    assertEquals(Map.of("1.2.1", 0, "1.3.2", 0), tries("1.2.1", "1.3.2"));
  }

  /** How many attempts may have begun before these, by what their nodes are told. */
  private Map<String, Integer> tries(String... attempts) {
    return cluster.taskOrders("n1").stream()
        .filter(order -> List.of(attempts).contains(order.attempt().toString()))
        .collect(
            Collectors.toMap(order -> order.attempt().toString(), order -> order.triesBefore()));
  }

  private TestCluster withPriority(int priority, PreemptionTerms preemption) {
    return cluster.terms(
        new JobTerms(false, PlacementPolicy.PACK, priority, List.of(), 0, 0, null)
            .with(terms -> terms.preemption = preemption));
  }

  /** A slot of three of the four cores has tasks that leave for an urgent one of four cores. */
  private void leavesForAnUrgentOne() {
    withPriority(0, new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000));
    cluster.node("n1").job(1, 100, new ResourceRequest(3, 0)).schedule();
    cluster.reported("n1", exitedAfter("1.0.1", 20)).schedule();
    assertEquals(List.of(10), slots());
    List<TaskReport> reports = new ArrayList<>(List.of(running("1.1.1")));
    for (int task = 2; task <= 10; task++) {
      reports.add(starting("1." + task + ".1"));
    }
    cluster.reported("n1", reports.toArray(TaskReport[]::new));
    withPriority(5, null).job(2, 1, new ResourceRequest(4, 0));
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.STOPPING, cluster.state("1.1"));
  }

  @Test
  void tasks_that_leave_one_slot_give_it_back_once() {
    leavesForAnUrgentOne();
    withPriority(0, null).job(3, 1, new ResourceRequest(1, 0)).schedule();
    assertEquals("-", cluster.place("3.0"), "the free core is not given back by the slot");
  }

  /** They waited behind the one that left, and were sent behind it again while it did. */
  @Test
  void nothing_is_sent_behind_a_task_that_leaves_for_an_urgent_one() {
    leavesForAnUrgentOne();
    List<TaskReport> reports = new ArrayList<>();
    for (int task = 2; task <= 10; task++) {
      reports.add(notBegun("1." + task + ".1"));
    }
    reports.add(ending("1.1.1"));
    cluster.reported("n1", reports.toArray(TaskReport[]::new));
    cluster.after(Duration.ofSeconds(1)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("1.2"));
    cluster.reported("n1", left("1.1.1")).schedule();
    assertEquals("n1[]", cluster.place("2.0"));
  }

  @Test
  void gangs_and_tasks_with_gpus_are_never_sent_ahead() {
    cluster.node("n1", "A").job(1, 5, 1).schedule();
    cluster.reported("n1", exitedAfter("1.0.1", 1)).schedule();
    assertEquals(List.of(1), slots());
    cluster.cancel(1).reported("n1");
    cluster.terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.job(2, 2, TWO_CORES).job(3, 2, TWO_CORES).schedule();
    cluster.reported("n1", exitedAfter("2.0.1", 1), running("2.1.1")).schedule();
    assertEquals(List.of("2.1.1"), cluster.orders("n1"));
  }

  @Test
  void a_user_is_charged_for_a_slot_and_not_for_each_task_behind_it() {
    array(100).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster.after(Duration.ofSeconds(100));
    double use = cluster.tasks.shares().use(cluster.now()).get("ann");
    assertEquals(2 * 2 * 100, use, 20);
  }

  @Test
  void a_cancelled_task_that_waited_for_its_turn_is_over_once_the_node_has_seen_it() {
    array(3).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    cluster.reported("n1", running("1.1.1"), starting("1.2.1")).cancel(1);
    cluster.reported("n1", running("1.1.1"));
    assertEquals(TaskState.CANCELLED, cluster.state("1.2"));
    assertEquals(
        List.of("1.1"),
        List.of("1.0", "1.1", "1.2").stream()
            .filter(task -> cluster.state(task) == TaskState.ENDING)
            .collect(Collectors.toList()));
  }

  /** Attack H7: the whole array was cancelled, 98 tasks of which had never begun. */
  @Test
  @Tag("attack")
  @Tag("attack-store")
  void a_server_that_stops_cancels_what_runs_and_keeps_what_waits() {
    array(100).reported("n1", running("1.0.1"), running("1.1.1")).stop();
    assertEquals(
        Map.of(TaskState.ENDING, 2, TaskState.WAITING, 98), cluster.tasks.counts(new JobId(1)));
    cluster.reported("n1");
    assertEquals(
        Map.of(TaskState.CANCELLED, 2, TaskState.WAITING, 98), cluster.tasks.counts(new JobId(1)));
  }

  @Test
  @Tag("attack")
  @Tag("attack-store")
  void what_was_sent_ahead_and_has_not_begun_waits_again_when_the_server_stops() {
    array(100).reported("n1", exitedAfter("1.0.1", 20), running("1.1.1")).schedule();
    assertEquals(List.of(10, 10), slots());
    cluster.stop().reported("n1", notBegun("1.2.1"), ending("1.1.1"));
    assertEquals(TaskState.WAITING, cluster.state("1.2"));
    assertNull(cluster.task("1.2").cause());
    assertEquals(TaskState.ENDING, cluster.state("1.1"));
  }

  /** The task may have begun, and without retries no task begins twice. */
  @Test
  void what_a_node_no_longer_has_when_the_server_stops_is_not_begun_again() {
    array(1).stop().reported("n1");
    assertEquals(TaskState.CANCELLED, cluster.state("1.0"));
  }

  @Test
  void a_gang_ends_as_a_whole_when_the_server_stops() {
    cluster.terms(
        new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null)); // begins together
    array(2).reported("n1", notBegun("1.0.1"), running("1.1.1")).stop().reported("n1");
    assertEquals(Map.of(TaskState.CANCELLED, 2), cluster.tasks.counts(new JobId(1)));
  }

  /** Its output was left out by {@code remuda logs}, which took it for one that had not started. */
  private JobChangeRowConverter rows() {
    JobChangeRowConverter rows =
        new JobChangeRowConverter(
            new StoreState(
                2, 1, 1, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of()),
            Clock.fixed(Instant.ofEpochMilli(5000), ZoneOffset.UTC));
    rows.added(cluster.tasks.job(new JobId(1)).orElseThrow(), TaskState.WAITING, List.of(), null);
    rows.changed(cluster.changes, cluster.tasks);
    cluster.changes.clear();
    return rows;
  }

  private TaskRow firstRow(JobChangeRowConverter rows) {
    return rows.changed(cluster.changes, cluster.tasks).stream()
        .filter(StoreChange.TaskMoved.class::isInstance)
        .map(entry -> ((StoreChange.TaskMoved) entry).row())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_task_that_was_never_seen_to_run_has_a_start_in_its_row() {
    array(2);
    JobChangeRowConverter rows = rows();
    cluster.reported("n1", exitedAfter("1.0.1", 20));
    TaskRow row = firstRow(rows);
    assertEquals(4980, row.started());
    assertEquals(5000, row.ended());
  }

  @Test
  void a_task_that_was_cancelled_before_it_was_seen_to_run_has_a_start_in_its_row() {
    array(2);
    JobChangeRowConverter rows = rows();
    cluster.cancel(1);
    rows.changed(cluster.changes, cluster.tasks);
    cluster.changes.clear();
    cluster.reported("n1", leftAfter("1.0.1", 20));
    TaskRow row = firstRow(rows);
    assertEquals(TaskState.CANCELLED, row.state());
    assertEquals(4980, row.started());
  }
}
