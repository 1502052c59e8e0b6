package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Plans that follow each other, with what the plans before have left in memory. Clusters and tasks
 * are made from a seed, which a failure prints.
 */
class PlanMemoryPropertyTest {

  private static final int TRIES = 150;
  private static final int PLANS = 12;

  /** Some nodes are on one machine, and some see one device. */
  private static List<NodeOffer> nodes(Random random) {
    List<NodeOffer> nodes = new ArrayList<>();
    for (int number = 2 + random.nextInt(6); number > 0; number--) {
      DeviceBuilder[] devices = new DeviceBuilder[random.nextInt(4)];
      for (int index = 0; index < devices.length; index++) {
        boolean seen = index == 0 && random.nextInt(6) == 0;
        devices[index] = device(seen ? "GPU-seen" : "GPU-" + number + "-" + index);
      }
      NodeBuilder node =
          node("n" + number, devices)
              .cpus(1000L * (1 + random.nextInt(8)), 8000)
              .memory(1000, 1000);
      if (random.nextInt(5) == 0) {
        node.machine("m");
      }
      nodes.add(node.offer());
    }
    return nodes;
  }

  private static NeedsBuilder randomNeeds(Random random) {
    NeedsBuilder needs = needs().cpus(random.nextInt(4) / 2.0).memory(10L * random.nextInt(5));
    return switch (random.nextInt(4)) {
      case 0 -> needs;
      case 1 -> needs.gpus(1 + random.nextInt(3));
      default -> needs.gpus(1).gpuMemory(10 + 10L * random.nextInt(5));
    };
  }

  private static List<TaskClass> lines(Random random, long firstJob, PlacementPolicy policy) {
    List<TaskClass> lines = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      LineBuilder line =
          tasks(firstJob + i, 1 + random.nextInt(3)).by(policy).need(randomNeeds(random));
      TaskClass made = (random.nextInt(6) == 0 ? line.gang() : line).line();
      if (lines.stream().noneMatch(other -> other.key().equals(made.key()))) {
        lines.add(made);
      }
    }
    return lines;
  }

  private static PlacementPolicy policy(Random random) {
    return PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)];
  }

  private static ResourceRequest needsOf(List<TaskClass> lines, Plan.Placement placement) {
    return lines.stream()
        .filter(line -> line.tasks().contains(placement.task()))
        .findFirst()
        .orElseThrow()
        .key()
        .needs();
  }

  private static Snapshot snapshot(List<NodeOffer> nodes) {
    return new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0);
  }

  /** What is left of the nodes after a plan; those of one machine or device stay as they are. */
  private static List<NodeOffer> after(List<NodeOffer> nodes, Plan plan, List<TaskClass> lines) {
    Map<String, NodeOffer> left = new java.util.LinkedHashMap<>();
    nodes.forEach(node -> left.put(node.node(), node));
    for (Plan.Placement placement : plan.placements()) {
      left.computeIfPresent(
          placement.node(),
          (name, node) ->
              AppliedPlacement.to(node, needsOf(lines, placement), placement.devices()));
    }
    return List.copyOf(left.values());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void a_plan_with_what_is_remembered_is_the_plan_without_it(@ForAll long seed) {
    rememberedIsAnew(seed, new PlanMemory());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void so_it_is_if_hardly_anything_may_be_kept(@ForAll long seed) {
    rememberedIsAnew(seed, new PlanMemory(1 + Math.floorMod(seed, 5000)));
  }

  private static void rememberedIsAnew(long seed, PlanMemory memory) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    PlanMemory other = new PlanMemory();
    PlacementPolicy policy = policy(random);
    for (int plan = 0; plan < PLANS; plan++) {
      List<TaskClass> lines = lines(random, 1 + 10L * plan, policy);
      Plan remembered = memory.plan(snapshot(nodes), lines);
      Plan anew = other.planAnew(snapshot(nodes), lines);
      assertEquals(anew, remembered, "seed " + seed + " " + policy + " plan " + plan);
      nodes = after(nodes, remembered, lines);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void nothing_is_given_beyond_what_there_is_and_a_second_plan_decides_nothing(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes =
        nodes(random).stream()
            .filter(node -> !RemainingClusterCapacity.of(List.of(node)).all().isEmpty())
            .filter(node -> node.machine().id().equals(node.node()))
            .filter(node -> node.devices().stream().noneMatch(d -> d.id().uuid().endsWith("seen")))
            .toList();
    PlanMemory memory = new PlanMemory();
    for (int plan = 0; plan < PLANS; plan++) {
      List<TaskClass> lines = lines(random, 1 + 10L * plan, policy(random));
      Plan made = memory.plan(snapshot(nodes), lines);
      nodes = after(nodes, made, lines);
      for (NodeOffer node : nodes) {
        String what = "seed " + seed + " " + node;
        assertTrue(node.cpus().free() >= 0 && node.memory().free() >= 0, what);
        assertTrue(node.devices().stream().allMatch(one -> one.freeMemory() >= 0), what);
      }
      List<TaskClass> left =
          lines.stream()
              .filter(
                  line ->
                      made.placements().stream()
                          .noneMatch(one -> line.tasks().contains(one.task())))
              .toList();
      assertEquals(List.of(), memory.plan(snapshot(nodes), left).placements(), "seed " + seed);
    }
  }
}
