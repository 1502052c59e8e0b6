package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
  private static final Set<Standing> SHAREABLE =
      Set.of(Standing.FREE, Standing.SHARED, Standing.OCCUPIED);
  private static final String ZONE = "zone";

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

  private static String zone(Random random) {
    return random.nextBoolean() ? "east" : "west";
  }

  /** Something other than a plan happens to some nodes. */
  private static List<NodeOffer> changed(Random random, List<NodeOffer> nodes) {
    return nodes.stream()
        .map(node -> random.nextInt(5) == 0 ? changed(random, node) : node)
        .toList();
  }

  private static NodeOffer changed(Random random, NodeOffer node) {
    switch (random.nextInt(5)) {
      case 0:
        return node.emptied();
      case 1:
        return node.paused(new NodePause.Failures(1, "no disk", 1000));
      case 2:
        Presence[] all = {Presence.READY, Presence.SILENT, Presence.DRAINING};
        return with(node, all[random.nextInt(all.length)], node.labels());
      case 3:
        return with(node, Presence.READY, Map.of(ZONE, zone(random)));
      default:
        List<DeviceOffer> devices = new ArrayList<>(node.devices());
        devices.replaceAll(one -> random.nextBoolean() ? changed(random, one) : one);
        return node.withDevices(devices);
    }
  }

  private static NodeOffer with(NodeOffer node, Presence presence, Map<String, String> labels) {
    return new NodeOffer(
        node.node(),
        node.machine(),
        presence,
        labels,
        node.cpus(),
        node.memory(),
        node.devices(),
        node.releases(),
        null,
        node.tasks(),
        node.counted());
  }

  private static DeviceOffer changed(Random random, DeviceOffer device) {
    return switch (random.nextInt(4)) {
      case 0 -> device.draining("");
      case 1 -> device.resting(new GpuRest(1, 1000, "no memory"));
      case 2 -> device.usedBy(new StrangerMemory(1 + random.nextInt(10), 5, List.of()));
      default ->
          new DeviceOffer(
              device.id(),
              device.model(),
              device.totalMemory(),
              device.freeMemory(),
              Standing.UNFIT,
              device.load(),
              Map.of());
    };
  }

  /** Fails if the node does not have what a task is given there. */
  private static void assertHas(NodeOffer node, ResourceRequest needs, List<DeviceId> given) {
    assertEquals(Presence.READY, node.presence());
    needs.labels().forEach((key, value) -> assertEquals(value, node.labels().get(key)));
    assertTrue(node.cpus().free() >= needs.milliCpus(), "cores");
    assertTrue(node.memory().free() >= needs.memory(), "memory");
    assertEquals(needs.gpus(), Set.copyOf(given).size(), "different GPUs");
    for (DeviceId id : given) {
      DeviceOffer device =
          node.devices().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
      if (needs.gpuShare().isShared()) {
        assertTrue(SHAREABLE.contains(device.standing()), device.toString());
        long part = needs.gpuShare().partOf(device.totalMemory());
        assertTrue(device.freeMemory() >= part, device.toString());
      } else {
        assertEquals(Standing.FREE, device.standing(), device.toString());
      }
    }
  }

  private static NeedsBuilder randomNeeds(Random random) {
    NeedsBuilder needs = needs().cpus(random.nextInt(4) / 2.0).memory(10L * random.nextInt(5));
    if (random.nextInt(4) == 0) {
      needs.label(ZONE, zone(random));
    }
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

  /** What is left of the nodes after a placement; those of one machine stay as they are. */
  private static List<NodeOffer> after(
      List<NodeOffer> nodes, Plan.Placement placement, List<TaskClass> lines) {
    return nodes.stream()
        .map(
            node ->
                node.node().equals(placement.node())
                    ? AppliedPlacement.to(node, needsOf(lines, placement), placement.devices())
                    : node)
        .toList();
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
      for (Plan.Placement one : remembered.placements()) {
        nodes = after(nodes, one, lines);
      }
      nodes = changed(random, nodes);
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
      for (Plan.Placement one : made.placements()) {
        NodeOffer node =
            nodes.stream().filter(n -> n.node().equals(one.node())).findFirst().orElseThrow();
        assertDoesNotThrow(
            () -> assertHas(node, needsOf(lines, one), one.devices()), "seed " + seed + " " + one);
        nodes = after(nodes, one, lines);
      }
      List<TaskClass> left =
          lines.stream()
              .filter(
                  line ->
                      made.placements().stream()
                          .noneMatch(one -> line.tasks().contains(one.task())))
              .toList();
      assertEquals(List.of(), memory.plan(snapshot(nodes), left).placements(), "seed " + seed);
      nodes = changed(random, nodes);
    }
  }
}
