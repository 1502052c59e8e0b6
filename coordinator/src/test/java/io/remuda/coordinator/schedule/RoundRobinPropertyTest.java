package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RoundRobinPropertyTest {
  private static final long MEMORY = 1000;
  private static final List<DeviceId> DEVICES = Picture.devices("A", "B", "C", "D", "E", "F");

  /** Nodes with devices that others may see too, of which some are free. */
  @Provide
  Arbitrary<List<NodeOffer>> offers() {
    Arbitrary<String> names = Arbitraries.integers().between(1, 12).map(number -> "n" + number);
    Arbitrary<List<DeviceId>> devices =
        Arbitraries.of(DEVICES).list().uniqueElements().ofMaxSize(4);
    return Combinators.combine(names, Arbitraries.of(true, true, false), devices, devices)
        .as(RoundRobinPropertyTest::offer)
        .list()
        .uniqueElements(NodeOffer::node)
        .ofMaxSize(5);
  }

  /** Two machines for all the nodes. */
  private static String machineOf(String node) {
    return node.length() % 2 == 0 ? "m1" : "m2";
  }

  private static NodeOffer offer(
      String name, boolean reachable, List<DeviceId> devices, List<DeviceId> some) {
    return new NodeOffer(
        name,
        machineOf(name),
        reachable,
        devices,
        devices.stream().filter(some::contains).toList(),
        MEMORY,
        MEMORY);
  }

  @Provide
  Arbitrary<List<Request>> queues() {
    Arbitrary<TaskId> tasks =
        Combinators.combine(Arbitraries.longs().between(1, 3), Arbitraries.integers().between(0, 9))
            .as((job, index) -> new TaskId(new JobId(job), index));
    Arbitrary<ResourceRequest> needs =
        Combinators.combine(
                Arbitraries.integers().between(0, 3), Arbitraries.longs().between(0, MEMORY / 2))
            .as((gpus, memory) -> new ResourceRequest(1, gpus, memory));
    return Combinators.combine(tasks, needs)
        .as(Request::new)
        .list()
        .uniqueElements(Request::task)
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<Map<JobId, String>> rounds() {
    return Arbitraries.maps(
            Arbitraries.longs().between(1, 3).map(JobId::new),
            Arbitraries.integers().between(1, 12).map(number -> "n" + number))
        .ofMaxSize(3);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void a_device_is_lent_once_and_only_where_it_is_free(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    Map<String, NodeOffer> byName = byName(offers);
    Set<DeviceId> lent = new HashSet<>();
    for (Plan.Placement placement : RoundRobin.plan(offers, queue, last).placements()) {
      NodeOffer node = byName.get(placement.node());
      assertTrue(node.reachable());
      assertTrue(node.free().containsAll(placement.devices()), placement + " of " + node);
      placement.devices().forEach(device -> assertTrue(lent.add(device), device + " twice"));
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void a_task_gets_exactly_what_it_wants_or_a_reason_from_every_node(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    Plan plan = RoundRobin.plan(offers, queue, last);
    Map<TaskId, Plan.Placement> placed =
        plan.placements().stream().collect(Collectors.toMap(Plan.Placement::task, p -> p));
    assertEquals(queue.size(), placed.size() + plan.waiting().size());
    for (Request request : queue) {
      if (placed.containsKey(request.task())) {
        assertEquals(request.needs().gpus(), placed.get(request.task()).devices().size());
      } else {
        assertEquals(Math.max(1, offers.size()), plan.waiting().get(request.task()).size());
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void what_waits_fits_nowhere_in_what_is_left(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    Plan plan = RoundRobin.plan(offers, queue, last);
    List<NodeOffer> left = afterwards(offers, queue, plan);
    for (Request request : queue) {
      if (plan.waiting().containsKey(request.task())) {
        assertTrue(
            left.stream()
                .noneMatch(
                    node ->
                        node.reachable()
                            && node.free().size() >= request.needs().gpus()
                            && node.freeMemory() >= request.needs().memory()),
            request + " among " + left);
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void the_same_input_gives_the_same_plan_in_whatever_order_the_nodes_are_named(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    List<NodeOffer> reversed = new ArrayList<>(offers);
    Collections.reverse(reversed);
    assertEquals(
        RoundRobin.plan(offers, queue, last),
        RoundRobin.plan(reversed, queue, new HashMap<>(last)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void planning_again_right_after_applying_decides_nothing_new(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    Plan first = RoundRobin.plan(offers, queue, last);
    List<Request> waiting =
        queue.stream().filter(request -> first.waiting().containsKey(request.task())).toList();
    Plan second = RoundRobin.plan(afterwards(offers, queue, first), waiting, first.lastNode());
    assertEquals(List.of(), second.placements());
    assertEquals(first.waiting().keySet(), second.waiting().keySet());
    assertEquals(first.lastNode(), second.lastNode());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void the_nodes_of_a_machine_never_take_more_memory_than_it_has(
      @ForAll("offers") List<NodeOffer> offers,
      @ForAll("queues") List<Request> queue,
      @ForAll("rounds") Map<JobId, String> last) {
    Map<String, Long> used = memoryUsed(queue, RoundRobin.plan(offers, queue, last));
    used.forEach((machine, bytes) -> assertTrue(bytes <= MEMORY, machine + " " + bytes));
  }

  private static Map<String, Long> memoryUsed(List<Request> queue, Plan plan) {
    Map<TaskId, Request> byTask =
        queue.stream().collect(Collectors.toMap(Request::task, request -> request));
    return plan.placements().stream()
        .collect(
            Collectors.groupingBy(
                placement -> machineOf(placement.node()),
                Collectors.summingLong(
                    placement -> byTask.get(placement.task()).needs().memory())));
  }

  private static Map<String, NodeOffer> byName(List<NodeOffer> offers) {
    return offers.stream().collect(Collectors.toMap(NodeOffer::node, node -> node));
  }

  private static List<NodeOffer> afterwards(
      List<NodeOffer> offers, List<Request> queue, Plan plan) {
    Map<String, Long> used = memoryUsed(queue, plan);
    Set<DeviceId> lent =
        plan.placements().stream()
            .flatMap(placement -> placement.devices().stream())
            .collect(Collectors.toSet());
    return offers.stream()
        .map(
            node ->
                new NodeOffer(
                    node.node(),
                    node.machine(),
                    node.reachable(),
                    node.devices(),
                    node.free().stream().filter(device -> !lent.contains(device)).toList(),
                    node.freeMemory() - used.getOrDefault(node.machine(), 0L),
                    node.totalMemory()))
        .toList();
  }
}
