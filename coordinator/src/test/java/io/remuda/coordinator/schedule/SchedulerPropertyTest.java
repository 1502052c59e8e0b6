package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.NodeOffer.Amount;
import io.remuda.coordinator.schedule.model.NodeOffer.Presence;
import io.remuda.coordinator.schedule.model.StrangerMemory;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the nodes have and whatever waits. */
class SchedulerPropertyTest {
  private static final long MEMORY = 1000;
  private static final long DEVICE_MEMORY = 80;
  private static final JobType A = new JobType("ann", "a");
  private static final JobType B = new JobType("ann", "b");

  /** They are slow beside each other, and tasks of the one among themselves. */
  private static final Map<JobType, Map<JobType, Integer>> SLOW =
      Map.of(A, Map.of(A, 90, B, 80), B, Map.of(A, 80));

  private static final List<DeviceId> DEVICES = Picture.devices("A", "B", "C", "D", "E", "F");

  /** Nodes of two machines, with devices that others may see too, in any standing. */
  @Provide
  Arbitrary<List<NodeOffer>> offers() {
    Arbitrary<String> names = Arbitraries.integers().between(1, 12).map(number -> "n" + number);
    Arbitrary<List<DeviceId>> devices =
        Arbitraries.of(DEVICES).list().uniqueElements().ofMaxSize(4);
    return Combinators.combine(
            names,
            Arbitraries.of(Presence.READY, Presence.READY, Presence.SILENT, Presence.DRAINING),
            devices)
        .as(SchedulerPropertyTest::offer)
        .list()
        .uniqueElements(NodeOffer::node)
        .ofMaxSize(5);
  }

  private static String machineOf(String node) {
    return node.length() % 2 == 0 ? "m1" : "m2";
  }

  /** A device stands the same wherever it is seen. */
  private static DeviceOffer device(DeviceId id) {
    int number = DEVICES.indexOf(id);
    Standing standing = Standing.values()[number % Standing.values().length];
    if (standing == Standing.DRAINING) {
      return new DeviceOffer(id, "H200", DEVICE_MEMORY, DEVICE_MEMORY, Standing.FREE).draining("");
    }
    DeviceOffer free = new DeviceOffer(id, "H200", DEVICE_MEMORY, DEVICE_MEMORY, Standing.FREE);
    if (standing == Standing.RESTING) {
      return free.resting(new GpuRest(3, 30_000, "it failed"));
    }
    if (standing == Standing.OCCUPIED) {
      return new DeviceOffer(id, "H200", DEVICE_MEMORY, 30, Standing.FREE)
          .usedBy(new StrangerMemory(DEVICE_MEMORY - 30, 10, List.of()));
    }
    DeviceOffer offer =
        new DeviceOffer(
            id, "H200", DEVICE_MEMORY, standing == Standing.SHARED ? 50 : DEVICE_MEMORY, standing);
    return number % 3 == 2 ? offer.asSlice() : offer;
  }

  private static NodeOffer offer(String name, Presence presence, List<DeviceId> devices) {
    return new NodeOffer(
        name,
        machineOf(name),
        presence,
        Map.of(),
        new Amount(4000, 4000),
        new Amount(MEMORY, MEMORY),
        devices.stream().map(SchedulerPropertyTest::device).toList(),
        OptionalLong.empty());
  }

  @Provide
  Arbitrary<List<TaskClass>> lines() {
    Arbitrary<ResourceRequest> needs =
        Combinators.combine(
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 3),
                Arbitraries.longs().between(0, MEMORY / 2),
                Arbitraries.of(0L, 0L, 30L, 50L),
                Arbitraries.shuffle(DEVICES),
                Arbitraries.of(true, false, false))
            .as(
                (cpus, gpus, memory, share, devices, bound) ->
                    new ResourceRequest(
                            cpus / 2.0, gpus, memory, gpus == 0 ? 0 : share, null, Map.of())
                        .boundTo(
                            bound && gpus > 0
                                ? new LeaseHolderProcess(1, devices.subList(0, gpus))
                                : null));
    Arbitrary<TaskClass.SchedulingKey> kinds =
        Combinators.combine(
                Arbitraries.integers().between(0, 1),
                Arbitraries.of("ann", "bob"),
                needs,
                Arbitraries.of(PlacementPolicy.values()),
                Arbitraries.of(true, false, false),
                Arbitraries.of(A, B).injectNull(0.5))
            .as(
                (priority, user, request, policy, gang, type) ->
                    new TaskClass.SchedulingKey(
                        priority,
                        user,
                        request,
                        policy,
                        0,
                        gang ? gang(1) : null,
                        type,
                        false,
                        null));
    return kinds
        .list()
        .uniqueElements()
        .ofMaxSize(6)
        .map(
            all -> {
              List<TaskClass> lines = new ArrayList<>();
              for (int i = 0; i < all.size(); i++) {
                lines.add(line(all.get(i), i + 1));
              }
              return lines;
            });
  }

  private static Gang gang(long job) {
    return new Gang(new JobId(job), false, List.of());
  }

  private static TaskClass line(TaskClass.SchedulingKey key, int job) {
    TaskSet tasks = new TaskSet();
    for (int index = 0; index <= job % 3; index++) {
      tasks.add(new TaskId(new JobId(job), index));
    }
    TaskClass.SchedulingKey own =
        key.gang() == null
            ? key
            : new TaskClass.SchedulingKey(
                key.priority(),
                key.user(),
                key.needs(),
                key.policy(),
                0,
                gang(job),
                key.type(),
                false,
                null);
    return new TaskClass(
        own, tasks, 1, job % 2 == 0 ? TaskClass.Overtaking.ALLOWED : TaskClass.Overtaking.REFUSED);
  }

  private static Plan plan(List<NodeOffer> offers, List<TaskClass> lines) {
    return Scheduler.plan(
        new Snapshot(offers, Map.of(), Map.of(), Map.of(), Map.of(), SLOW, 0), lines);
  }

  private static TaskClass.SchedulingKey key(List<TaskClass> lines, TaskId task) {
    return lines.stream()
        .filter(taskClass -> taskClass.tasks().contains(task))
        .findFirst()
        .orElseThrow()
        .key();
  }

  private static ResourceRequest needs(List<TaskClass> lines, TaskId task) {
    return key(lines, task).needs();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothing_is_given_away_twice(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    Map<String, Long> cpus = new HashMap<>();
    Map<String, Long> memory = new HashMap<>();
    Map<DeviceId, Long> parts = new HashMap<>();
    Set<DeviceId> whole = new HashSet<>();
    for (Plan.Placement placement : plan(offers, lines).placements()) {
      ResourceRequest needs = needs(lines, placement.task());
      String machine = machineOf(placement.node());
      cpus.merge(machine, needs.milliCpus(), Long::sum);
      memory.merge(machine, needs.memory(), Long::sum);
      assertEquals(needs.gpus(), Set.copyOf(placement.devices()).size());
      if (needs.bound() != null) {
        assertEquals(Set.copyOf(needs.bound().devices()), Set.copyOf(placement.devices()));
      }
      boolean slices = placement.devices().stream().anyMatch(one -> device(one).slice());
      assertTrue(!slices || needs.gpus() == 1 || needs.bound() != null, placement.toString());
      for (DeviceId device : placement.devices()) {
        if (needs.gpuShare().isShared()) {
          parts.merge(device, needs.gpuMemory(), Long::sum);
        } else {
          assertTrue(whole.add(device), device + " twice");
          assertEquals(Standing.FREE, device(device).standing());
          assertFalse(device(device).slice() && needs.bound() == null, device + " is a slice");
        }
      }
    }
    cpus.forEach((machine, used) -> assertTrue(used <= 4000, machine + " cpus " + used));
    memory.forEach((machine, used) -> assertTrue(used <= MEMORY, machine + " memory " + used));
    parts.forEach(
        (device, used) -> {
          assertTrue(used <= device(device).freeMemory(), device + " memory " + used);
          assertTrue(!whole.contains(device), device + " whole and in parts");
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void types_that_are_slow_together_never_share_but_in_a_gang(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    Map<DeviceId, List<TaskClass.SchedulingKey>> there = new HashMap<>();
    for (Plan.Placement placement : plan(offers, lines).placements()) {
      TaskClass.SchedulingKey key = key(lines, placement.task());
      for (DeviceId device : placement.devices()) {
        List<TaskClass.SchedulingKey> others =
            there.computeIfAbsent(device, id -> new ArrayList<>());
        others.forEach(other -> assertMayShare(key, other));
        others.add(key);
      }
    }
  }

  private static void assertMayShare(TaskClass.SchedulingKey one, TaskClass.SchedulingKey other) {
    boolean typed = one.type() != null && other.type() != null;
    boolean slow = typed && SLOW.get(one.type()).containsKey(other.type());
    boolean gang = typed && one.gang() != null && one.type().equals(other.type());
    assertTrue(!slow || gang, one + " beside " + other);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void a_gang_starts_whole_or_not_at_all(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    Plan plan = plan(offers, lines);
    for (TaskClass taskClass : lines) {
      long placed =
          plan.placements().stream().filter(one -> taskClass.tasks().contains(one.task())).count();
      boolean waits = plan.waiting().containsKey(taskClass.key());
      assertEquals(placed < taskClass.tasks().size(), waits, taskClass + " " + plan);
      if (taskClass.key().gang() != null) {
        assertTrue(placed == 0 || placed == taskClass.tasks().size(), taskClass + " " + plan);
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void only_nodes_that_take_tasks_get_some(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    for (Plan.Placement placement : plan(offers, lines).placements()) {
      NodeOffer node =
          offers.stream()
              .filter(one -> one.node().equals(placement.node()))
              .findFirst()
              .orElseThrow();
      assertEquals(Presence.READY, node.presence());
      assertTrue(
          node.devices().stream().map(DeviceOffer::id).toList().containsAll(placement.devices()));
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void the_same_input_gives_the_same_plan_in_whatever_order_it_is_named(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    List<NodeOffer> otherNodes = new ArrayList<>(offers);
    Collections.reverse(otherNodes);
    List<TaskClass> otherLines = new ArrayList<>(lines);
    Collections.reverse(otherLines);
    assertEquals(plan(offers, lines), plan(otherNodes, otherLines));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void every_line_that_waits_has_a_reason_of_every_node(
      @ForAll("offers") List<NodeOffer> offers, @ForAll("lines") List<TaskClass> lines) {
    plan(offers, lines)
        .waiting()
        .forEach(
            (key, reasons) ->
                assertEquals(
                    key.gang() == null ? Math.max(1, offers.size()) : offers.size() + 1,
                    reasons.size(),
                    key + " " + reasons));
  }
}
