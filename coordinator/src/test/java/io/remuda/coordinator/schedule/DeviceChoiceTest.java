package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes and which of their devices each policy chooses. */
class DeviceChoiceTest {

  private static Plan plan(Snapshot snapshot, TaskClass... lines) {
    return Scheduler.plan(snapshot, List.of(lines));
  }

  private static Snapshot snapshot(Map<JobId, String> lastNode, NodeBuilder... nodes) {
    List<NodeOffer> offers = Stream.of(nodes).map(NodeBuilder::offer).toList();
    return new Snapshot(offers, lastNode, Map.of(), Map.of(), Map.of(), Map.of(), 0);
  }

  private static List<String> nodesOf(Plan plan) {
    return plan.placements().stream().map(Plan.Placement::node).toList();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"PACK, B", "BEST_FIT, B", "SPREAD, C", "ROUND_ROBIN, A"})
  void a_part_goes_to_the_fullest_the_emptiest_or_the_first_device_by_policy(
      PlacementPolicy policy, String expected) {
    Plan plan =
        plan(
            snapshot(
                Map.of(),
                node("n1", device("A").shared(50), device("B").shared(30), device("C").shared(70))),
            tasks(1, 1).need(needs().gpus(1).gpuMemory(20)).by(policy).line());
    assertEquals(ids(expected), plan.placements().get(0).devices());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"PACK, B C A", "BEST_FIT, B C A", "SPREAD, A C B", "ROUND_ROBIN, A B C"})
  void several_devices_are_named_in_the_order_of_the_policy(
      PlacementPolicy policy, String expected) {
    Plan plan =
        plan(
            snapshot(
                Map.of(),
                node("n1", device("A").shared(90), device("B").shared(30), device("C").shared(70))),
            tasks(1, 1).need(needs().gpus(3).gpuMemory(20)).by(policy).line());
    List<DeviceId> devices = plan.placements().get(0).devices();
    assertEquals(ids(expected.split(" ")), devices);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "PACK, n2 n2 n1 n1",
    "BEST_FIT, n2 n2 n1 n1",
    "SPREAD, n1 n1 n1 n2",
    "ROUND_ROBIN, n1 n2 n1 n2"
  })
  void tasks_are_distributed_by_policy(PlacementPolicy policy, String expected) {
    Plan plan =
        plan(
            snapshot(Map.of(), node("n1").cpus(4000, 4000), node("n2").cpus(2000, 4000)),
            tasks(1, 4).need(needs().cpus(1)).by(policy).line());
    assertEquals(List.of(expected.split(" ")), nodesOf(plan));
  }

  @Test
  void equal_nodes_are_chosen_by_their_names() {
    for (PlacementPolicy policy : PlacementPolicy.values()) {
      Plan plan =
          plan(
              snapshot(Map.of(), node("n10"), node("n2"), node("n1").cpus(0, 4000)),
              tasks(1, 1).need(needs().cpus(1)).by(policy).line());
      assertEquals(List.of("n2"), nodesOf(plan), policy.toString());
    }
  }

  @Test
  void only_jobs_in_turn_have_a_last_node() {
    for (PlacementPolicy policy : PlacementPolicy.values()) {
      Plan plan = plan(snapshot(Map.of(), node("n1")), tasks(1, 1).by(policy).line());
      assertEquals(
          policy == PlacementPolicy.ROUND_ROBIN ? Map.of(new JobId(1), "n1") : Map.of(),
          plan.lastNode(),
          policy.toString());
    }
  }

  @Test
  void a_gang_that_cannot_start_does_not_move_its_round() {
    TaskClass gang =
        tasks(1, 3).need(needs().cpus(4)).by(PlacementPolicy.ROUND_ROBIN).gang().line();
    Map<JobId, String> before = Map.of(new JobId(1), "n2");
    assertEquals(before, plan(snapshot(before, node("n1"), node("n2")), gang).lastNode());
    assertEquals(Map.of(), plan(snapshot(Map.of(), node("n1"), node("n2")), gang).lastNode());
  }

  @Test
  void the_node_after_the_last_is_the_first_again() {
    Plan plan =
        plan(
            snapshot(Map.of(new JobId(1), "n3"), node("n1"), node("n2"), node("n3")),
            tasks(1, 2).by(PlacementPolicy.ROUND_ROBIN).line());
    assertEquals(List.of("n1", "n2"), nodesOf(plan));
  }
}
