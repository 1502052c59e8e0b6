package io.remuda.coordinator.schedule.score;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.ids;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.LineBuilder;
import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.Plan;
import io.remuda.coordinator.schedule.PlanMemory;
import io.remuda.coordinator.schedule.Snapshot;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.worker.job.PlacementPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The policies that look at what tasks usually need, and the baselines. */
class PlacementScoresTest {

  private static final List<NodeOffer> NONE = List.of();

  private final PlanMemory memory = new PlanMemory();
  private long job;

  private LineBuilder next(PlacementPolicy policy, NeedsBuilder needs, int count) {
    return tasks(++job, count).need(needs).by(policy);
  }

  /** Tasks of a shape come, and wait. */
  private void usually(int count, NeedsBuilder needs) {
    memory.plan(snapshot(NONE), List.of(next(PlacementPolicy.PACK, needs, count).line()));
  }

  private static Snapshot snapshot(List<NodeOffer> nodes) {
    return new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0);
  }

  private Plan.Placement place(PlacementPolicy policy, NeedsBuilder needs, NodeOffer... nodes) {
    return memory
        .plan(snapshot(List.of(nodes)), List.of(next(policy, needs, 1).line()))
        .placements()
        .get(0);
  }

  private static NeedsBuilder part(long bytes) {
    return needs().gpus(1).gpuMemory(bytes);
  }

  /** docs/scheduling.md, "A worked example". */
  @Test
  void a_small_part_goes_where_nothing_else_fits_and_not_into_the_tightest_gap() {
    usually(60, part(50));
    usually(40, part(30));
    NodeOffer forty = node("n1", device("A").shared(40)).offer();
    NodeOffer thirty = node("n2", device("B").shared(30)).offer();
    NodeOffer fifty = node("n3", device("C").shared(50)).offer();
    for (PlacementPolicy policy : List.of(PlacementPolicy.FORESIGHT, PlacementPolicy.BEST_FIT)) {
      assertEquals("n2", place(policy, part(30), forty, thirty, fifty).node(), policy.toString());
      assertEquals("n1", place(policy, part(30), forty, fifty).node(), policy.toString());
    }
    NodeOffer eighty = node("n4", device("D").shared(80)).offer();
    assertEquals("n3", place(PlacementPolicy.BEST_FIT, part(30), fifty, eighty).node());
    assertEquals("n4", place(PlacementPolicy.FORESIGHT, part(30), fifty, eighty).node());
  }

  @Test
  void within_a_node_the_gpu_is_chosen_likewise() {
    usually(60, part(50));
    usually(40, part(30));
    NodeOffer both = node("n1", device("A").shared(50), device("B").shared(80)).offer();
    assertEquals(ids("A"), place(PlacementPolicy.BEST_FIT, part(30), both).devices());
    assertEquals(ids("B"), place(PlacementPolicy.FORESIGHT, part(30), both).devices());
  }

  @Test
  void tasks_without_gpus_leave_the_cores_that_gpus_need() {
    usually(100, needs().gpus(1).cpus(2));
    NodeOffer none = node("n1", device("A").taken()).cpus(4000, 4000).offer();
    NodeOffer free = node("n0", device("B")).cpus(3000, 4000).offer();
    NeedsBuilder cores = needs().cpus(2);
    assertEquals("n0", place(PlacementPolicy.PACK, cores, none, free).node());
    assertEquals("n1", place(PlacementPolicy.FORESIGHT, cores, none, free).node());
    assertEquals("n1", place(PlacementPolicy.FGD, cores, none, free).node());
  }

  @Test
  void a_rare_model_is_left_to_those_who_need_it() {
    usually(50, needs().gpus(1).label("kind", "rare"));
    usually(50, needs().gpus(1));
    NodeOffer rare = node("n1", device("A")).label("kind", "rare").offer();
    NodeOffer common = node("n2", device("B"), device("C")).label("kind", "common").offer();
    assertEquals("n2", place(PlacementPolicy.FORESIGHT, needs().gpus(1), rare, common).node());
    assertEquals("n2", place(PlacementPolicy.FGD, needs().gpus(1), rare, common).node());
  }

  @Test
  void before_anything_with_gpus_was_seen_tasks_are_packed() {
    NodeOffer fuller = node("n2", device("A")).cpus(2000, 4000).offer();
    NodeOffer empty = node("n1", device("B")).offer();
    for (PlacementPolicy policy : List.of(PlacementPolicy.FORESIGHT, PlacementPolicy.FGD)) {
      assertEquals("n2", place(policy, needs().cpus(1), empty, fuller).node(), policy.toString());
    }
  }

  @Test
  void the_dot_product_prefers_nodes_with_less_of_what_is_needed() {
    NodeOffer cores = node("n1").cpus(4000, 4000).memory(500, 1000).offer();
    NodeOffer memoryLeft = node("n2").cpus(2000, 4000).memory(1000, 1000).offer();
    NeedsBuilder needs = needs().cpus(2).memory(10);
    assertEquals("n2", place(PlacementPolicy.DOT_PRODUCT, needs, cores, memoryLeft).node());
    NeedsBuilder other = needs().cpus(0.1).memory(400);
    assertEquals("n1", place(PlacementPolicy.DOT_PRODUCT, other, cores, memoryLeft).node());
  }

  @Test
  void random_placement_uses_all_nodes_and_repeats_itself() {
    NodeOffer[] nodes = new NodeOffer[4];
    Set<String> used = new HashSet<>();
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < nodes.length; i++) {
        nodes[i] = node("n" + i, device("G" + i)).slotsInUse(round).offer();
      }
      String chosen = place(PlacementPolicy.RANDOM, needs().cpus(1), nodes).node();
      assertEquals(chosen, place(PlacementPolicy.RANDOM, needs().cpus(1), nodes).node());
      used.add(chosen);
    }
    assertTrue(used.size() == nodes.length, used.toString());
  }
}
