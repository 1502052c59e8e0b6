package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * The registry among nodes that follow orders late, die, fall silent and come back, in any order:
 * whatever happens, no device is held twice and no task has two live attempts, neither in the
 * registry nor on the nodes; and once the trouble is over, everything comes to its end.
 */
class TaskRegistryPropertyTest {
  /** What happens next, to which node and to which of its tasks. */
  record Step(Kind kind, int node, int task) {}

  enum Kind {
    FOLLOW,
    REPORT,
    RECEIVE,
    GOOD,
    BAD,
    CUT,
    JOIN,
    RESTART,
    PASS,
    CANCEL
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(6, Kind.FOLLOW),
            Tuple.of(6, Kind.REPORT),
            Tuple.of(8, Kind.RECEIVE),
            Tuple.of(6, Kind.GOOD),
            Tuple.of(4, Kind.BAD),
            Tuple.of(2, Kind.CUT),
            Tuple.of(3, Kind.JOIN),
            Tuple.of(1, Kind.RESTART),
            Tuple.of(5, Kind.PASS),
            Tuple.of(1, Kind.CANCEL));
    return Combinators.combine(
            kinds, Arbitraries.integers().between(0, 2), Arbitraries.integers().between(0, 3))
        .as(Step::new)
        .list()
        .ofMinSize(20)
        .ofMaxSize(120);
  }

  @Property(tries = 400)
  void no_device_is_held_twice_and_no_task_has_two_live_attempts(
      @ForAll("steps") List<Step> steps) {
    Model model = new Model();
    for (Step step : steps) {
      model.take(step);
      model.assertSafe(step);
    }
  }

  @Property(tries = 150)
  void everything_comes_to_its_end_once_the_trouble_is_over(@ForAll("steps") List<Step> steps) {
    Model model = new Model();
    steps.forEach(model::take);
    for (int round = 0; round < 60; round++) {
      model.calmRound();
      model.assertSafe(round);
    }
    List<TaskRecord> unfinished =
        model.cluster.tasks.jobs().stream()
            .flatMap(job -> model.cluster.tasks.of(job.id()).stream())
            .filter(task -> !task.state().isFinal())
            .toList();
    assertEquals(List.of(), unfinished);
    assertEquals(Set.of(), model.cluster.lentDevices());
    assertTrue(model.nodes.stream().allMatch(node -> node.living().isEmpty()), "all are gone");
  }

  /** Three nodes, of which two see the same device, and three jobs that want more than there is. */
  private static final class Model {
    private final TestCluster cluster = new TestCluster();
    private final List<SimulatedNode> nodes = new ArrayList<>();

    Model() {
      cluster.node("n1", "S", "A").node("n2", "S", "B").node("n3");
      for (String name : List.of("n1", "n2", "n3")) {
        nodes.add(new SimulatedNode(name, cluster.now()));
      }
      cluster.job(1, 3, 1).job(2, 3, 1).job(3, 2, 0);
      cycle();
    }

    void take(Step step) {
      SimulatedNode node = nodes.get(step.node());
      switch (step.kind()) {
        case FOLLOW -> node.follow(cluster.now());
        case REPORT -> node.report();
        case RECEIVE -> receive(node);
        case GOOD -> node.progress(step.task(), true);
        case BAD -> node.progress(step.task(), false);
        case CUT -> cut(node);
        case JOIN -> join(node);
        case RESTART -> restart(node);
        case PASS -> pass(step.task());
        case CANCEL -> cluster.cancel(1 + step.task() % 2);
      }
      cycle();
    }

    private void receive(SimulatedNode node) {
      var message = node.toCoordinator.pollFirst();
      if (message != null) {
        message.accept(cluster);
      }
    }

    private void cut(SimulatedNode node) {
      if (node.linked) {
        node.cut();
        cluster.silent(node.name);
      }
    }

    private void join(SimulatedNode node) {
      if (node.linked) {
        return;
      }
      node.linked = true;
      node.sent = List.of();
      node.told.clear();
      node.revision++; // what it has followed before says nothing of what it has now
      var before = cluster.nodes.find(node.name).orElseThrow();
      cluster.nodes.joined(node.name, before.host(), before.devices(), "test");
      cluster.changes.addAll(
          cluster.tasks.joined(node.name, List.copyOf(node.held.values()), cluster.now()));
      order(node);
    }

    private void restart(SimulatedNode node) {
      cut(node);
      node.restart(cluster.now());
    }

    private void pass(int choice) {
      cluster.after(Duration.ofMillis(new int[] {100, 900, 2500, 5000}[choice]));
      nodes.forEach(node -> node.watchLease(cluster.now()));
      cluster.tick();
      nodes.stream().filter(node -> node.linked).forEach(this::order);
    }

    /** As the coordinator does: place what waits, and tell the nodes whose orders changed. */
    private void cycle() {
      cluster.changes.addAll(cluster.tasks.schedule(cluster.nodes.all(), cluster.now()));
      for (SimulatedNode node : nodes) {
        if (node.linked && !node.sent.equals(cluster.taskOrders(node.name))) {
          order(node);
        }
      }
    }

    private void order(SimulatedNode node) {
      List<TaskStartOrder> orders = cluster.taskOrders(node.name);
      if (!orders.equals(node.sent)) {
        node.sent = orders;
        node.revision++;
      }
      noteRevisions(node, orders);
      node.toNode.addLast(new SimulatedNode.Desired(node.revision, orders));
    }

    /** As the coordinator does: an order can be missing once it was sent, or taken back. */
    private void noteRevisions(SimulatedNode node, List<TaskStartOrder> orders) {
      for (TaskStartOrder order : orders) {
        if (node.told.add(order.attempt())) {
          cluster.tasks.ordered(order.attempt(), node.revision);
        }
      }
      cluster.tasks.placed().stream()
          .filter(task -> task.state() == TaskState.ENDING)
          .filter(task -> task.place().node().equals(node.name))
          .filter(task -> node.takenBack.add(task.attemptId()))
          .forEach(task -> cluster.tasks.ordered(task.attemptId(), node.revision));
    }

    /** Everything arrives, everything goes well, and time passes. */
    void calmRound() {
      for (int index = 0; index < nodes.size(); index++) {
        SimulatedNode node = nodes.get(index);
        take(new Step(Kind.JOIN, index, 0));
        while (!node.toNode.isEmpty()) {
          take(new Step(Kind.FOLLOW, index, 0));
        }
        for (int task = 0; task < 3; task++) {
          take(new Step(Kind.GOOD, index, task));
        }
        take(new Step(Kind.REPORT, index, 0));
        while (!node.toCoordinator.isEmpty()) {
          take(new Step(Kind.RECEIVE, index, 0));
        }
      }
      take(new Step(Kind.PASS, 0, 1));
    }

    void assertSafe(Object after) {
      QueueLoadPropertyTest.assertCounted(cluster.tasks, after);
      Set<DeviceId> lent = new HashSet<>();
      cluster.tasks.placed().stream()
          .flatMap(task -> task.place().devices().stream())
          .forEach(device -> assertTrue(lent.add(device), device + " lent twice: " + after));
      Set<DeviceId> used = new HashSet<>();
      Set<TaskId> living = new HashSet<>();
      for (SimulatedNode node : nodes) {
        for (TaskStartOrder order : node.living()) {
          TaskId task = order.attempt().task();
          assertTrue(living.add(task), task + " lives twice, " + node.name + ": " + after);
          order
              .devices()
              .forEach(
                  device ->
                      assertTrue(
                          used.add(device), device + " used twice, " + node.name + ": " + after));
        }
      }
    }
  }
}
