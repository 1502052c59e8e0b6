package io.remuda.coordinator.actor;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What should run on each node, as far as it is durable, and how often that has changed. It
 * outlives connections. One thread.
 */
final class DesiredStates {

  /** So that a frame stays well below its limit; what does not fit goes with the next order. */
  private static final long MOST_BYTES = 2 << 20;

  private final Map<String, TreeMap<AttemptId, TaskOrder>> byNode = new HashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();

  void add(String node, TaskOrder order) {
    byNode.computeIfAbsent(node, name -> new TreeMap<>()).put(order.attempt(), order);
    changed(node);
  }

  void remove(String node, AttemptId attempt) {
    Map<AttemptId, TaskOrder> orders = byNode.get(node);
    if (orders != null && orders.remove(attempt) != null) {
      changed(node);
    }
  }

  /** Something else about the node's orders is new. */
  long changed(String node) {
    return revisions.merge(node, 1L, Long::sum);
  }

  /** Counts the changes of the node's orders. */
  long revision(String node) {
    return revisions.getOrDefault(node, 0L);
  }

  Set<AttemptId> attempts(String node) {
    return Set.copyOf(byNode.getOrDefault(node, new TreeMap<>()).keySet());
  }

  /**
   * All that should run on a node.
   *
   * @param inFull what it has not said it holds, as far as it fits into one frame
   * @param held what it has said it holds
   * @param later what it has not said it holds and did not fit
   */
  record NodeOrders(List<TaskOrder> inFull, List<Kept> held, List<Kept> later) {

    /** As the node is told it: nothing is to be ended for coming later. */
    Desired of(long epoch, long revision, boolean sampling) {
      List<Kept> kept = new ArrayList<>(held);
      kept.addAll(later);
      return new Desired(epoch, revision, sampling, inFull, kept);
    }
  }

  /** The order for a node that has said that it holds these. */
  NodeOrders order(String node, Set<AttemptId> reported) {
    List<TaskOrder> inFull = new ArrayList<>();
    List<Kept> held = new ArrayList<>();
    List<Kept> later = new ArrayList<>();
    long bytes = 0;
    for (TaskOrder order : byNode.getOrDefault(node, new TreeMap<>()).values()) {
      if (reported.contains(order.attempt())) {
        held.add(Kept.of(order));
      } else if (bytes < MOST_BYTES) {
        inFull.add(order);
        bytes += size(order);
      } else {
        later.add(Kept.of(order));
      }
    }
    return new NodeOrders(inFull, held, later);
  }

  private static long size(TaskOrder order) {
    return order.workload() instanceof CommandWorkload command ? 500 + command.size() : 500;
  }
}
