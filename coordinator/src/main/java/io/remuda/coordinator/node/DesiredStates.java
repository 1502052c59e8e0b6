package io.remuda.coordinator.node;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.CoordinatorMessage.Leaving;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The durable desired state of each node and its revision. It is kept across connections.
 * Single-threaded.
 */
final class DesiredStates {

  /** Maximum size of the orders in one frame, well below its limit; the next frame has the rest. */
  private static final long MOST_BYTES = 2 << 20;

  private final Map<String, TreeMap<AttemptId, TaskStartOrder>> byNode = new HashMap<>();
  private final Map<String, TreeMap<AttemptId, Leaving>> leaving = new HashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();

  void add(String node, TaskStartOrder order) {
    byNode.computeIfAbsent(node, name -> new TreeMap<>()).put(order.attempt(), order);
    changed(node);
  }

  void remove(String node, AttemptId attempt) {
    if (forget(node, attempt)) {
      changed(node);
    }
  }

  /**
   * Removes an attempt that has ended; no new revision, since nothing is to be done because of it.
   *
   * @return whether it was there
   */
  boolean forget(String node, AttemptId attempt) {
    boolean left = leaving.getOrDefault(node, new TreeMap<>()).remove(attempt) != null;
    Map<AttemptId, TaskStartOrder> orders = byNode.get(node);
    return orders != null && orders.remove(attempt) != null || left;
  }

  /** Has an attempt leave its place; {@link #remove} forgets it. */
  void leave(String node, Leaving attempt) {
    remove(node, attempt.attempt());
    leaving.computeIfAbsent(node, name -> new TreeMap<>()).put(attempt.attempt(), attempt);
    changed(node);
  }

  /** Increments the revision of a node's desired state and returns it. */
  long changed(String node) {
    return revisions.merge(node, 1L, Long::sum);
  }

  /** Returns the revision of a node's desired state: the number of its changes. */
  long revision(String node) {
    return revisions.getOrDefault(node, 0L);
  }

  Set<AttemptId> attempts(String node) {
    return Set.copyOf(byNode.getOrDefault(node, new TreeMap<>()).keySet());
  }

  /**
   * The desired state of a node.
   *
   * @param inFull orders that the node has not reported and that fit into one frame
   * @param held attempts that the node has reported
   * @param later attempts that the node has not reported and that did not fit
   * @param leaving attempts that are to leave
   */
  record NodeOrders(
      List<TaskStartOrder> inFull, List<Kept> held, List<Kept> later, List<Leaving> leaving) {

    /** Returns the message; it names the later attempts too, so that the node does not end them. */
    Desired of(long epoch, long revision, boolean sampling) {
      List<Kept> kept = new ArrayList<>(held);
      kept.addAll(later);
      return new Desired(epoch, revision, sampling, inFull, kept, leaving);
    }

    /** Returns the same for a node of this name that knows only plain paths of streams. */
    NodeOrders withPlainStreams(String node) {
      List<TaskStartOrder> plain =
          inFull.stream().map(order -> order.withPlainStreams(node)).toList();
      return new NodeOrders(plain, held, later, leaving);
    }

    /** Returns the same for a node that knows no parameters of tasks. */
    NodeOrders withoutParameters() {
      List<TaskStartOrder> plain = inFull.stream().map(TaskStartOrder::withoutParameters).toList();
      return new NodeOrders(plain, held, later, leaving);
    }
  }

  /** Returns the desired state for a node that has reported these attempts. */
  NodeOrders order(String node, Set<AttemptId> reported) {
    List<TaskStartOrder> inFull = new ArrayList<>();
    List<Kept> held = new ArrayList<>();
    List<Kept> later = new ArrayList<>();
    FrameSize frame = new FrameSize();
    for (TaskStartOrder order : byNode.getOrDefault(node, new TreeMap<>()).values()) {
      if (reported.contains(order.attempt())) {
        held.add(Kept.of(order));
      } else if (later.isEmpty() && frame.takes(order)) { // in order, as in their slots
        inFull.add(order);
      } else {
        later.add(Kept.of(order));
      }
    }
    return new NodeOrders(
        inFull, held, later, List.copyOf(leaving.getOrDefault(node, new TreeMap<>()).values()));
  }

  /** About how long a frame is. What consecutive orders have in common is in it once. */
  private static final class FrameSize {
    private static final long SMALL = 500;
    private static final long ROLE = 300;

    private long bytes;
    private TaskStartOrder last;
    private long startBytes;

    /** Adds an order, unless the frame would be too long with it and is not empty. */
    boolean takes(TaskStartOrder order) {
      long more = SMALL + order.commandSize();
      if (order.job().start() != null && !isAlike(order)) {
        more += startBytes(order.job());
      }
      if (last != null && bytes + more > MOST_BYTES) {
        return false;
      }
      bytes += more;
      last = order;
      return true;
    }

    private boolean isAlike(TaskStartOrder order) {
      return last != null && last.workload() == order.workload() && last.job().equals(order.job());
    }

    private long startBytes(TaskStartOrder.JobFacts job) {
      boolean known = last != null && last.job().start() == job.start();
      startBytes = known ? startBytes : job.start().bytes();
      return startBytes + (job.gang() == null ? 0 : ROLE * job.gang().roles().size());
    }
  }
}
