package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.worker.job.PlacementPolicy.PACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.filter.Filter;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept for job 7. A node has 4 cores and 1000 bytes. */
class ReservationTest {
  private static final JobId JOB = new JobId(7);
  private static final Filter ANYBODY = (node, needs) -> Optional.empty();

  private RemainingClusterCapacity cluster = RemainingClusterCapacity.of(List.of());

  private Optional<Reservation> reserve(int count, NeedsBuilder needs, NodeBuilder... nodes) {
    cluster = RemainingClusterCapacity.of(Stream.of(nodes).map(NodeBuilder::offer).toList());
    List<String> names = cluster.all().stream().map(RemainingNodeCapacity::name).toList();
    return Reservation.of(
        waiting(count, needs), JOB, cluster, new EmptyCluster(cluster), names, ANYBODY, 0);
  }

  private static TaskClass waiting(int count, NeedsBuilder needs) {
    LineBuilder line = ScheduleSamples.tasks(JOB.value(), count).need(needs);
    return (count == 1 ? line : line.gang()).line();
  }

  /** Keeps room for a gang with one member of each role. */
  private Reservation reserveRoles(List<NeedsBuilder> needs, NodeBuilder... nodes) {
    cluster = RemainingClusterCapacity.of(Stream.of(nodes).map(NodeBuilder::offer).toList());
    List<GangRoleSpec> roles = new ArrayList<>();
    for (NeedsBuilder one : needs) {
      roles.add(new GangRoleSpec("role" + roles.size(), 1, 1, 0, one.request()));
    }
    TaskSet members = new TaskSet();
    members.add(JOB, 0, roles.size());
    TaskClass.SchedulingKey key =
        new TaskClass.SchedulingKey(
            0, "ann", roles.get(0).request(), PACK, 0, new Gang(JOB, true, roles));
    List<String> names = cluster.all().stream().map(RemainingNodeCapacity::name).toList();
    TaskClass gang = new TaskClass(key, members, 1, TaskClass.Overtaking.REFUSED);
    return Reservation.of(gang, JOB, cluster, new EmptyCluster(cluster), names, ANYBODY, 0)
        .orElseThrow();
  }

  @Test
  void devices_are_kept_for_all_roles_and_not_only_for_the_model_of_the_first() {
    Reservation kept =
        reserveRoles(
            List.of(needs().gpus(1).model("A100"), needs().gpus(2).model("H200")),
            node("n1", device("A").model("A100"), device("B").model("A100")),
            node(
                "n2",
                device("C").model("H200"),
                device("D").model("H200"),
                device("E").model("H200")));
    assertFree(kept, "n1", needs().gpus(1));
    assertHeld(kept, "n1", needs().gpus(2));
    assertFree(kept, "n2", needs().gpus(1));
    assertHeld(kept, "n2", needs().gpus(2));
    assertHeld(kept, "n2", needs().gpus(2).model("H200"));
  }

  @Test
  void a_role_without_a_model_adds_to_what_is_kept_of_all() {
    Reservation kept =
        reserveRoles(
            List.of(needs().gpus(1).model("A100"), needs().gpus(1)),
            node(
                "n1",
                device("A").model("A100"),
                device("B").model("H200"),
                device("C").model("H200")));
    assertFree(kept, "n1", needs().gpus(1).model("H200"));
    assertHeld(kept, "n1", needs().gpus(2).model("H200"));
    assertHeld(kept, "n1", needs().gpus(1).model("A100"));
  }

  private Optional<WaitReason> refusal(
      Reservation kept, String node, NeedsBuilder other, long limitMillis) {
    return kept.allows(cluster.get(node), other.request(), limitMillis)
        ? Optional.empty()
        : Optional.of(new WaitReason.HeldForOther(node, kept.job()));
  }

  private void assertHeld(Reservation kept, String node, NeedsBuilder other) {
    assertEquals(
        Optional.of(new WaitReason.HeldForOther(node, JOB)), refusal(kept, node, other, 0));
  }

  private void assertFree(Reservation kept, String node, NeedsBuilder other) {
    assertEquals(Optional.empty(), refusal(kept, node, other, 0));
  }

  @Test
  void nothing_is_kept_for_a_job_that_fits_nowhere() {
    assertEquals(Optional.empty(), reserve(1, needs().cpus(5), node("n1")));
    assertEquals(Optional.empty(), reserve(3, needs().cpus(4), node("n1"), node("n2")));
    assertEquals(Optional.empty(), reserve(1, needs().cpus(1)));
  }

  @Test
  void nothing_is_kept_for_a_job_that_would_need_a_drained_gpu() {
    NodeBuilder node = node("n1", device("A").taken(), device("B").drained(""));
    assertEquals(Optional.empty(), reserve(1, needs().gpus(2), node));
    assertHeld(reserve(1, needs().gpus(1), node).orElseThrow(), "n1", needs().cpus(4).gpus(1));
  }

  @Test
  void nodes_that_take_no_tasks_are_not_kept() {
    for (Presence presence : List.of(Presence.SILENT, Presence.DRAINING)) {
      assertEquals(Optional.empty(), reserve(1, needs().cpus(1), node("n1").presence(presence)));
    }
  }

  @Test
  void the_first_nodes_in_order_of_preference_are_kept_and_no_more_than_needed() {
    Reservation kept =
        reserve(3, needs().cpus(2), node("n1"), node("n2"), node("n3")).orElseThrow();
    assertHeld(kept, "n1", needs().cpus(1));
    assertFree(kept, "n2", needs().cpus(2));
    assertHeld(kept, "n2", needs().cpus(2.5));
    assertFree(kept, "n3", needs().cpus(4));
  }

  @ParameterizedTest(name = "{0} of 4000 free, 3 kept, {1} wanted")
  @CsvSource({"4000, 1, true", "4000, 1.001, false", "3500, 0.5, true", "3500, 0.501, false"})
  void another_task_may_have_the_cores_that_are_left(long free, double wanted, boolean may) {
    Reservation kept = reserve(1, needs().cpus(3), node("n1").cpus(free, 4000)).orElseThrow();
    assertEquals(may, refusal(kept, "n1", needs().cpus(wanted), 0).isEmpty());
  }

  @ParameterizedTest(name = "{0} of 1000 free, 600 kept, {1} wanted")
  @CsvSource({"1000, 400, true", "1000, 401, false", "600, 1, false", "300, 0, true"})
  void another_task_may_have_the_memory_that_is_left(long free, long wanted, boolean may) {
    Reservation kept = reserve(1, needs().memory(600), node("n1").memory(free, 1000)).orElseThrow();
    assertEquals(may, refusal(kept, "n1", needs().memory(wanted), 0).isEmpty());
  }

  @Test
  void another_task_may_have_the_devices_that_are_left() {
    Reservation kept =
        reserve(
                1,
                needs().gpus(2),
                node("n1", device("A"), device("B"), device("C"), device("D").taken()))
            .orElseThrow();
    assertFree(kept, "n1", needs().gpus(1));
    assertFree(kept, "n1", needs().gpus(1).gpuMemory(10));
    assertHeld(kept, "n1", needs().gpus(2));
    assertHeld(kept, "n1", needs().gpus(2).gpuMemory(1));
  }

  @Test
  void a_task_that_wants_nothing_of_what_is_kept_may_pass() {
    NodeBuilder node = node("n1", device("A").taken()).cpus(0, 4000);
    Reservation kept = reserve(1, needs().cpus(4).gpus(1), node).orElseThrow();
    assertFree(kept, "n1", needs().memory(1000));
    assertFree(kept, "n1", needs());
    assertHeld(kept, "n1", needs().memory(1).cpus(0.001));
  }

  @Test
  void what_is_kept_is_that_of_all_its_tasks_on_the_node() {
    Reservation kept = reserve(2, needs().cpus(1).memory(300), node("n1")).orElseThrow();
    assertFree(kept, "n1", needs().cpus(2).memory(400));
    assertHeld(kept, "n1", needs().cpus(2.001));
    assertHeld(kept, "n1", needs().memory(401));
  }

  @ParameterizedTest(name = "clears in {0} ms, limit {1} ms")
  @CsvSource({
    "60000, 60000, true",
    "60000, 60001, false",
    "60000, 1, true",
    "60000, 0, false",
    "0, 1, false",
    "-5, 1, false"
  })
  void a_task_that_ends_before_the_node_is_empty_may_pass(long clears, long limit, boolean may) {
    Reservation kept =
        reserve(1, needs().cpus(4), node("n1").cpus(2000, 4000).clearsIn(clears)).orElseThrow();
    assertEquals(may, refusal(kept, "n1", needs().cpus(2), limit).isEmpty());
  }

  @Test
  void a_node_that_may_never_be_empty_takes_no_task_for_its_limit() {
    Reservation kept = reserve(1, needs().cpus(4), node("n1").cpus(2000, 4000)).orElseThrow();
    assertEquals(
        Optional.of(new WaitReason.HeldForOther("n1", JOB)),
        refusal(kept, "n1", needs().cpus(2), 1));
  }

  @Test
  void a_node_with_room_beside_others_with_which_the_job_is_slow_is_not_where_it_starts_first() {
    cluster =
        RemainingClusterCapacity.of(
            List.of(
                node("n1").cpus(4000, 4000).offer(),
                node("n2").cpus(0, 4000).clearsIn(60_000).offer()));
    Filter company =
        (node, needs) ->
            node.name().equals("n1")
                ? Optional.of(new WaitReason.SlowTogether("n1", "train", 96))
                : Optional.empty();
    Reservation kept =
        Reservation.of(
                waiting(1, needs().cpus(4)),
                JOB,
                cluster,
                new EmptyCluster(cluster),
                List.of("n1", "n2"),
                company,
                0)
            .orElseThrow();
    assertEquals(Set.of("n2"), kept.chosen().keySet());
    assertEquals(OptionalLong.of(60_000 * 1_000_000L), kept.startsAt());
  }

  @Test
  void time_limits_count_from_the_time_of_the_snapshot() {
    RemainingClusterCapacity nodes =
        RemainingClusterCapacity.of(List.of(node("n1").cpus(0, 4000).clearsIn(60_000).offer()));
    long later = 50_000 * 1_000_000L;
    Reservation kept =
        Reservation.of(
                waiting(1, needs().cpus(4)),
                JOB,
                nodes,
                new EmptyCluster(nodes),
                List.of("n1"),
                ANYBODY,
                later)
            .orElseThrow();
    RemainingNodeCapacity node = nodes.get("n1");
    assertTrue(kept.allows(node, needs().cpus(1).request(), 10_000));
    assertFalse(kept.allows(node, needs().cpus(1).request(), 10_001));
  }

  @Test
  void of_a_bound_job_its_devices_are_kept_and_the_others_are_free() {
    Reservation kept =
        reserve(1, needs().bound("A").cpus(1), node("n1", device("A").shared(50), device("B")))
            .orElseThrow();
    RemainingNodeCapacity node = cluster.get("n1");
    assertEquals(1, node.gpusFor(needs().gpus(1).gpuMemory(10).request()), "B only");
    assertFree(kept, "n1", needs().gpus(1));
    assertHeld(kept, "n1", needs().cpus(3.5));
  }

  @Test
  void a_task_that_would_fit_on_kept_devices_hears_of_the_job_and_another_what_it_lacks() {
    Reservation kept =
        reserve(1, needs().bound("A", "B"), node("n1", device("A"), device("B").taken()))
            .orElseThrow();
    assertTrue(kept.keepsDevices(cluster.get("n1"), needs().gpus(1).request()));
    assertFalse(kept.keepsDevices(cluster.get("n1"), needs().gpus(2).request()));
  }

  @Test
  void a_job_that_is_not_bound_never_changes_what_a_node_lacks() {
    Reservation kept = reserve(1, needs().cpus(4), node("n1")).orElseThrow();
    assertFalse(kept.keepsDevices(cluster.get("n1"), needs().cpus(1).request()));
  }

  @Test
  void the_node_is_kept_where_the_job_is_expected_to_fit_first() {
    Reservation kept =
        reserve(
                1,
                needs().cpus(4),
                node("n1").cpus(3000, 4000).clearsIn(90_000),
                node("n2").cpus(0, 4000).clearsIn(60_000),
                node("n3").cpus(3500, 4000))
            .orElseThrow();
    assertEquals(OptionalLong.of(60_000_000_000L), kept.startsAt());
    assertFree(kept, "n1", needs().cpus(1));
    assertFree(kept, "n3", needs().cpus(0.5));
    assertHeld(kept, "n2", needs().cpus(0.001));
  }

  @Test
  void a_job_that_needs_a_part_of_a_node_is_not_kept_waiting_until_all_of_it_is_free() {
    Reservation kept =
        reserve(
                1,
                needs().cpus(2),
                node("n1").cpus(1000, 4000).releases(60_000, 1000).releases(3_600_000, 2000))
            .orElseThrow();
    assertEquals(OptionalLong.of(60_000_000_000L), kept.startsAt());
    assertTrue(refusal(kept, "n1", needs().cpus(1), 60_000).isEmpty());
    assertFalse(refusal(kept, "n1", needs().cpus(1), 60_001).isEmpty(), "it would end too late");
  }

  @Test
  void devices_count_as_free_once_no_slot_holds_them() {
    Reservation kept =
        reserve(
                1,
                needs().gpus(2),
                node("n1", device("A").shared(10), device("B").taken(), device("C").taken())
                    .cpus(4000, 4000)
                    .releases(10_000, 0, "A")
                    .releases(20_000, 0, "B")
                    .releases(30_000, 0, "A")
                    .keeps(0, "C"))
            .orElseThrow();
    assertEquals(OptionalLong.of(30_000_000_000L), kept.startsAt());
  }

  @Test
  void a_gang_starts_when_the_last_of_its_nodes_is_ready() {
    Reservation kept =
        reserve(
                2,
                needs().cpus(4),
                node("n1").cpus(1000, 4000).clearsIn(10_000),
                node("n2").cpus(0, 4000).clearsIn(20_000))
            .orElseThrow();
    assertEquals(OptionalLong.of(20_000_000_000L), kept.startsAt());
    assertTrue(refusal(kept, "n1", needs().cpus(1), 20_000).isEmpty());
  }
}
