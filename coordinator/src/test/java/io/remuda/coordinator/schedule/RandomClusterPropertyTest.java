package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.RemainingClusterCapacity;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Clusters and queues made from a seed, which a failure prints: nodes of their own machine with
 * devices of one model in any standing, and classes of tasks that want whole devices or parts.
 */
class RandomClusterPropertyTest {
  private static final int TRIES = 400;
  private static final long MOST_MILLIS = 100_000;

  private static List<NodeOffer> nodes(Random random) {
    List<NodeOffer> nodes = new ArrayList<>();
    for (int number = random.nextInt(5); number >= 0; number--) {
      DeviceBuilder[] devices = new DeviceBuilder[random.nextInt(4)];
      for (int index = 0; index < devices.length; index++) {
        devices[index] = randomDevice("GPU-" + number + "-" + index, random);
      }
      NodeBuilder node =
          node("n" + number, devices)
              .cpus(500L * random.nextInt(9), 4000)
              .memory(100L * random.nextInt(11), 1000)
              .presence(random.nextInt(8) > 0 ? Presence.READY : Presence.SILENT);
      nodes.add(
          (random.nextBoolean() ? node.clearsIn(random.nextLong(MOST_MILLIS)) : node).offer());
    }
    return nodes;
  }

  private static DeviceBuilder randomDevice(String uuid, Random random) {
    DeviceBuilder device = device(uuid);
    return switch (random.nextInt(7)) {
      case 6 -> device.drained("a fan");
      case 0 -> device.taken();
      case 1 -> device.unfit();
      case 2 -> device.shared(10L * random.nextInt(10));
      case 3 -> device.free(96).load(1, random.nextInt(4), 10 * random.nextInt(11));
      case 4 -> device.free(96);
      default -> device;
    };
  }

  private static NeedsBuilder randomNeeds(Random random) {
    NeedsBuilder needs = needs().cpus(random.nextInt(5) / 2.0).memory(100L * random.nextInt(5));
    int gpus = random.nextInt(4);
    if (gpus == 0) {
      return needs;
    }
    needs.gpus(gpus);
    return switch (random.nextInt(5)) {
      case 0 -> needs;
      case 1 -> needs.perGpu(2 + random.nextInt(3));
      case 2 -> needs.gpuMemory(97 + random.nextInt(5));
      case 3 -> needs.gpuMemory(10).percent(10 * random.nextInt(11)).perGpu(random.nextInt(4));
      default -> needs.gpuMemory(1 + random.nextInt(60));
    };
  }

  private static LineBuilder randomLine(long job, Random random) {
    LineBuilder line =
        tasks(job, 1 + random.nextInt(4))
            .priority(random.nextInt(2))
            .of(random.nextBoolean() ? "ann" : "bob")
            .need(randomNeeds(random))
            .by(PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)]);
    if (random.nextInt(3) == 0) {
      line.limitMillis(1 + random.nextLong(MOST_MILLIS));
    }
    if (random.nextInt(4) == 0) {
      line.gang();
    }
    return random.nextBoolean() ? line.impatient() : line;
  }

  private static List<TaskClass> lines(Random random) {
    Map<TaskClass.SchedulingKey, TaskClass> lines = new LinkedHashMap<>();
    for (int job = 1 + random.nextInt(8); job > 0; job--) {
      TaskClass line = randomLine(job, random).line();
      lines.putIfAbsent(line.key(), line);
    }
    return List.copyOf(lines.values());
  }

  private static Plan plan(List<NodeOffer> nodes, List<TaskClass> lines) {
    return Scheduler.plan(
        new Snapshot(nodes, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0), lines);
  }

  private static TaskClass lineOf(List<TaskClass> lines, TaskId task) {
    return lines.stream().filter(line -> line.tasks().contains(task)).findFirst().orElseThrow();
  }

  /** The needs of the tasks that a plan puts on each device. */
  private static Map<DeviceId, List<ResourceRequest>> byDevice(Plan plan, List<TaskClass> lines) {
    Map<DeviceId, List<ResourceRequest>> there = new HashMap<>();
    for (Plan.Placement placement : plan.placements()) {
      ResourceRequest needs = lineOf(lines, placement.task()).key().needs();
      placement
          .devices()
          .forEach(id -> there.computeIfAbsent(id, any -> new ArrayList<>()).add(needs));
    }
    return there;
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void no_device_is_promised_beyond_its_memory_its_limits_and_its_time(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<TaskClass> lines = lines(random);
    Map<DeviceId, List<ResourceRequest>> there = byDevice(plan(nodes, lines), lines);
    for (NodeOffer node : nodes) {
      for (DeviceOffer device : node.devices()) {
        assertKept(device, there.getOrDefault(device.id(), List.of()), "seed " + seed);
      }
    }
  }

  private static void assertKept(DeviceOffer device, List<ResourceRequest> tasks, String seed) {
    if (tasks.isEmpty()) {
      return;
    }
    String what = seed + " " + device + " " + tasks;
    assertTrue(device.standing() == Standing.FREE || device.standing() == Standing.SHARED, what);
    if (!tasks.get(0).gpuShare().isShared()) {
      assertEquals(Standing.FREE, device.standing(), what);
      assertEquals(1, tasks.size(), what);
      return;
    }
    long parts = tasks.stream().mapToLong(one -> one.gpuShare().partOf(device.totalMemory())).sum();
    boolean alone = device.standing() == Standing.FREE && tasks.size() == 1;
    assertTrue(parts <= (alone ? device.totalMemory() : device.freeMemory()), what);
    int count = device.load().tasks() + tasks.size();
    assertTrue(tasks.stream().allMatch(one -> one.perGpu() == 0 || count <= one.perGpu()), what);
    assertTrue(device.load().mostTasks() == 0 || count <= device.load().mostTasks(), what);
    int busy = device.load().percent() + tasks.stream().mapToInt(ResourceRequest::gpuPercent).sum();
    boolean raised = tasks.stream().anyMatch(one -> one.gpuPercent() > 0);
    assertTrue(count == 1 || !raised || busy <= 100, what);
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void no_node_is_promised_beyond_its_cores_and_memory(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<TaskClass> lines = lines(random);
    Plan plan = plan(nodes, lines);
    for (NodeOffer node : nodes) {
      long cpus = 0;
      long memory = 0;
      for (Plan.Placement placement : plan.placements()) {
        if (placement.node().equals(node.node())) {
          cpus += lineOf(lines, placement.task()).key().needs().milliCpus();
          memory += lineOf(lines, placement.task()).key().needs().memory();
        }
      }
      assertTrue(cpus <= node.cpus().free(), "seed " + seed + " cpus of " + node + ": " + cpus);
      assertTrue(memory <= node.memory().free(), "seed " + seed + " of " + node + ": " + memory);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void what_fits_the_empty_cluster_is_never_called_impossible_and_the_rest_always_is(
      @ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<NodeOffer> empty = nodes.stream().map(NodeOffer::emptied).toList();
    for (TaskClass line : lines(random)) {
      boolean gang = line.key().gang() != null;
      Plan plan = plan(empty, List.of(line));
      boolean fits = !plan.placements().isEmpty();
      int atOnce = gang ? line.tasks().size() : 1;
      assertEquals(
          fits,
          FitCheck.everRefused(
                  nodes,
                  new Gang(new JobId(1), true, List.of()),
                  line.key().needs(),
                  atOnce,
                  line.key().policy())
              .isEmpty(),
          "seed " + seed + " " + line);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void a_plan_depends_on_nothing_but_its_input_and_not_on_the_order_of_that(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<TaskClass> lines = lines(random);
    Plan plan = plan(nodes, lines);
    assertEquals(plan, plan(nodes, lines), "seed " + seed);
    List<NodeOffer> otherNodes = new ArrayList<>(nodes);
    List<TaskClass> otherLines = new ArrayList<>(lines);
    Collections.shuffle(otherNodes, random);
    Collections.shuffle(otherLines, random);
    Plan other = plan(otherNodes, otherLines);
    assertEquals(plan.placements().size(), other.placements().size(), "seed " + seed);
    assertEquals(plan, other, "seed " + seed);
  }

  /** What a node has after it has got these tasks. */
  private static NodeOffer after(NodeOffer node, Plan plan, List<TaskClass> lines) {
    Map<DeviceId, List<ResourceRequest>> there = byDevice(plan, lines);
    long cpus = node.cpus().free();
    long memory = node.memory().free();
    for (Plan.Placement placement : plan.placements()) {
      if (placement.node().equals(node.node())) {
        cpus -= lineOf(lines, placement.task()).key().needs().milliCpus();
        memory -= lineOf(lines, placement.task()).key().needs().memory();
      }
    }
    return new NodeOffer(
        node.node(),
        node.machine().id(),
        node.presence(),
        node.labels(),
        new Amount(cpus, node.cpus().total()),
        new Amount(memory, node.memory().total()),
        node.devices().stream()
            .map(device -> after(device, there.getOrDefault(device.id(), List.of())))
            .toList(),
        node.clearsAt(0));
  }

  private static DeviceOffer after(DeviceOffer device, List<ResourceRequest> tasks) {
    if (tasks.isEmpty()) {
      return device;
    }
    long free = device.freeMemory();
    Standing standing = device.standing();
    DeviceOffer.Load load = device.load();
    for (ResourceRequest needs : tasks) {
      free = needs.gpuShare().isShared() ? free - needs.gpuShare().partOf(device.totalMemory()) : 0;
      standing = needs.gpuShare().isShared() ? Standing.SHARED : Standing.TAKEN;
      load = load.plus(needs, null);
    }
    return new DeviceOffer(
        device.id(), device.model(), device.totalMemory(), free, standing, load, Map.of());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void to_plan_again_after_a_plan_is_applied_decides_nothing_new(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<TaskClass> lines =
        lines(random).stream()
            .filter(line -> line.overtaking() == TaskClass.Overtaking.ALLOWED)
            .toList();
    Plan plan = plan(nodes, lines);
    List<NodeOffer> later = nodes.stream().map(node -> after(node, plan, lines)).toList();
    List<TaskId> placed = plan.placements().stream().map(Plan.Placement::task).toList();
    List<TaskClass> left = new ArrayList<>();
    for (TaskClass line : lines) {
      List<TaskId> tasks = line.tasks().stream().filter(task -> !placed.contains(task)).toList();
      if (!tasks.isEmpty()) {
        left.add(new TaskClass(line.key(), TaskSet.of(tasks), 1, line.overtaking()));
      }
    }
    assertEquals(List.of(), plan(later, left).placements(), "seed " + seed);
  }

  /** An amount that a reason names lies between what was free before the plan and after it. */
  private static void assertTrueReason(
      TaskClass.SchedulingKey key,
      WaitReason reason,
      Map<String, NodeOffer> before,
      Map<String, NodeOffer> after,
      String of) {
    if (key.gang() != null) {
      return; // what is free for one member is what the others have left
    }
    if (reason instanceof WaitReason.TooFewFreeCpus cpus) {
      assertTrue(cpus.free() < cpus.wanted(), of);
      assertTrue(cpus.free() <= before.get(cpus.node()).cpus().free(), of);
      assertTrue(cpus.free() >= after.get(cpus.node()).cpus().free(), of);
    } else if (reason instanceof WaitReason.TooLittleMemory memory) {
      assertTrue(memory.free() < memory.wanted(), of);
      assertTrue(memory.free() <= before.get(memory.node()).memory().free(), of);
      assertTrue(memory.free() >= after.get(memory.node()).memory().free(), of);
    } else if (reason instanceof WaitReason.TooFewFreeGpus gpus
        && !key.needs().gpuShare().isShared()) {
      assertTrue(gpus.free() < gpus.wanted(), of);
      assertTrue(gpus.free() <= free(before.get(gpus.node())), of);
      assertTrue(gpus.free() >= free(after.get(gpus.node())), of);
      assertEquals(before.get(gpus.node()).devices().size(), gpus.total(), of);
    }
  }

  private static long free(NodeOffer node) {
    return node.devices().stream().filter(one -> one.standing() == Standing.FREE).count();
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void the_amounts_in_reasons_are_true(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    List<TaskClass> lines = lines(random);
    Plan plan = plan(nodes, lines);
    Map<String, NodeOffer> before = new HashMap<>();
    Map<String, NodeOffer> after = new HashMap<>();
    nodes.forEach(node -> before.put(node.node(), node));
    nodes.forEach(node -> after.put(node.node(), after(node, plan, lines)));
    plan.waiting()
        .forEach(
            (key, reasons) ->
                reasons.forEach(
                    one -> assertTrueReason(key, one, before, after, "seed " + seed + ": " + one)));
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void what_passes_an_impatient_job_does_not_delay_it(@ForAll long seed) {
    Random random = new Random(seed);
    List<NodeOffer> nodes = nodes(random);
    TaskClass head = randomLine(100, random).priority(9).impatient().line();
    List<TaskClass> lines = new ArrayList<>(lines(random));
    lines.add(head);
    Plan plan = plan(nodes, lines);
    if (!plan.waiting().containsKey(head.key())
        || plan.placements().stream().anyMatch(one -> head.tasks().contains(one.task()))) {
      return; // it starts at once, at least a part of it
    }
    List<Plan.Placement> lasting =
        plan.placements().stream()
            .filter(one -> outlasts(one, readyFor(head, one.node(), nodes), lines))
            .toList();
    Plan others = new Plan(lasting, Map.of(), Map.of(), null);
    List<NodeOffer> cleared =
        nodes.stream()
            .map(node -> node.presence() == Presence.READY ? node.vacated() : node)
            .toList();
    List<NodeOffer> then = cleared.stream().map(node -> after(node, others, lines)).toList();
    assertEquals(
        plan(cleared, List.of(head)).placements().isEmpty(),
        plan(then, List.of(head)).placements().isEmpty(),
        "seed " + seed + ": " + head + " after " + lasting);
  }

  /**
   * When a node has no other tasks; for a gang, when all its nodes have none, as those that are
   * ready before stand empty until then.
   */
  private static OptionalLong readyFor(TaskClass head, String name, List<NodeOffer> nodes) {
    if (head.key().gang() == null) {
      return nodes.stream()
          .filter(one -> one.node().equals(name))
          .findFirst()
          .orElseThrow()
          .clearsAt(0);
    }
    RemainingClusterCapacity rooms = RemainingClusterCapacity.of(nodes);
    return Reservation.of(
            head,
            head.tasks().first().job(),
            rooms,
            new EmptyCluster(rooms),
            ReservedCapacity.roomiestFirst(rooms),
            (node, needs) -> Optional.empty(),
            0)
        .map(Reservation::startsAt)
        .orElse(OptionalLong.empty());
  }

  /** Whether a task may still run then. */
  private static boolean outlasts(
      Plan.Placement placement, OptionalLong then, List<TaskClass> lines) {
    long limit = lineOf(lines, placement.task()).key().timeLimitMillis();
    return limit == 0 || then.isEmpty() || limit * 1_000_000 > then.getAsLong();
  }
}
