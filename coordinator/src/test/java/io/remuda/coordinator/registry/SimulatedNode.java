package io.remuda.coordinator.registry;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.recovery.DesiredStateDifference;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A node whose agent follows orders as the real one does, with every message on its way for as long
 * as the test likes. What it holds stands for real processes.
 */
final class SimulatedNode {
  /** What an agent is told to run. */
  record Desired(long revision, List<TaskStartOrder> orders) {}

  static final long CONTACT_NANOS = 6_000_000_000L;

  final String name;
  final Deque<Desired> toNode = new ArrayDeque<>();
  final Deque<Consumer<TestCluster>> toCoordinator = new ArrayDeque<>();
  final Map<AttemptId, TaskReport> held = new TreeMap<>();
  private final Map<AttemptId, TaskStartOrder> orders = new HashMap<>();
  private final Set<AttemptId> acknowledged = new HashSet<>();
  private Desired desired = new Desired(0, List.of());
  private long renewedAt;
  boolean linked = true;

  // the coordinator's side of the link
  List<TaskStartOrder> sent = List.of();
  final Set<AttemptId> told = new HashSet<>();
  final Set<AttemptId> takenBack = new HashSet<>();
  long revision;

  SimulatedNode(String name, long now) {
    this.name = name;
    this.renewedAt = now;
  }

  private static boolean lives(TaskReport report) {
    return report.phase() != TaskPhase.ENDED && report.phase() != TaskPhase.REFUSED;
  }

  /** The orders whose processes may be there. */
  List<TaskStartOrder> living() {
    return held.values().stream()
        .filter(SimulatedNode::lives)
        .map(report -> orders.get(report.attempt()))
        .toList();
  }

  /** The oldest order arrives. */
  void follow(long now) {
    Desired next = toNode.pollFirst();
    if (next != null) {
      desired = next;
      renewedAt = now;
      reconcile();
    }
  }

  private void reconcile() {
    Map<AttemptId, TaskPhase> phases = new HashMap<>();
    held.forEach((attempt, report) -> phases.put(attempt, report.phase()));
    DesiredStateDifference todo = DesiredStateDifference.of(desired.orders(), phases);
    todo.end().forEach(attempt -> become(attempt, TaskPhase.ENDING, null));
    todo.forget().forEach(held::remove);
    todo.start()
        .forEach(
            order -> {
              orders.put(order.attempt(), order);
              become(order.attempt(), TaskPhase.STARTING, null);
            });
  }

  private void become(AttemptId attempt, TaskPhase phase, TaskEnd end) {
    held.put(attempt, new TaskReport(attempt, phase, 1, null, end));
  }

  /** One attempt comes further by itself: it runs, it is refused, or it ends. */
  void progress(int which, boolean well) {
    List<TaskStartOrder> living = living();
    if (living.isEmpty()) {
      return;
    }
    AttemptId attempt = living.get(which % living.size()).attempt();
    switch (held.get(attempt).phase()) {
      case STARTING -> become(attempt, well ? TaskPhase.RUNNING : TaskPhase.REFUSED, busy(well));
      case ENDING ->
          become(
              attempt,
              TaskPhase.ENDED,
              new TaskEnd(TaskEnd.Kind.ON_REQUEST, null, 9, "", null, null, null));
      default -> end(attempt, well);
    }
    reconcile();
  }

  private static TaskEnd busy(boolean well) {
    return well ? null : TaskEnd.because(TaskEnd.Kind.DEVICE_BUSY, "busy");
  }

  /** A good worker tells its result first, and only ends when that was taken. */
  private void end(AttemptId attempt, boolean well) {
    if (!well) {
      become(
          attempt,
          TaskPhase.ENDED,
          new TaskEnd(TaskEnd.Kind.BY_ITSELF, null, 9, "killed", null, null, null));
    } else if (acknowledged.contains(attempt)) {
      become(
          attempt,
          TaskPhase.ENDED,
          new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, null, null));
    } else if (linked) {
      toCoordinator.addLast(
          cluster -> {
            cluster.told(attempt.toString(), 1, new WorkerEvent.PoolDone(1));
            acknowledged.add(attempt);
          });
    }
  }

  /** What it holds now is on its way. */
  void report() {
    if (linked) {
      List<TaskReport> now = List.copyOf(held.values());
      long seen = desired.revision();
      toCoordinator.addLast(
          cluster -> cluster.reportedAt(name, seen, now.toArray(TaskReport[]::new)));
    }
  }

  void cut() {
    linked = false;
    toNode.clear();
    toCoordinator.clear();
  }

  /** The machine restarts: no process is left and nothing is remembered. */
  void restart(long now) {
    held.clear();
    acknowledged.clear();
    desired = new Desired(0, List.of());
    renewedAt = now;
  }

  /** Tied tasks do not outlive the lease. */
  void watchLease(long now) {
    if (now - renewedAt >= CONTACT_NANOS) {
      living()
          .forEach(
              order ->
                  become(
                      order.attempt(),
                      TaskPhase.ENDED,
                      TaskEnd.because(TaskEnd.Kind.CONTACT_LOST, "contact deadline passed")));
    }
  }
}
