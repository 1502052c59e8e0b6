package io.remuda.agent.recovery;

import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which orders wait on the node for another of their seat to end. A coordinator sends more orders
 * than there is room for when tasks are so short that the way to it and back would take longer than
 * they do. Times are nanoseconds of one monotonic clock. One thread.
 */
public final class Seats {

  private record Taken(long seat, long since) {}

  private final Map<AttemptId, Taken> taken = new HashMap<>();
  private final Map<AttemptId, TaskOrder> waiting = new LinkedHashMap<>();

  /** The order waits until {@link #due} gives it out. */
  public void add(TaskOrder order) {
    waiting.put(order.attempt(), order);
  }

  public boolean isWaiting(AttemptId attempt) {
    return waiting.containsKey(attempt);
  }

  /** How many orders wait. */
  public int waiting() {
    return waiting.size();
  }

  /** A living attempt has its seat, also when it was started by an earlier agent. */
  public void keep(Kept living, long now) {
    if (!isWaiting(living.attempt())) {
      taken.putIfAbsent(living.attempt(), new Taken(living.seat(), now));
    }
  }

  /** The attempt is over, or is no longer wanted before it began. */
  public void leave(AttemptId attempt) {
    taken.remove(attempt);
    waiting.remove(attempt);
  }

  /** The orders whose turn it is, and which have their seats from now on. */
  public List<TaskOrder> due(long now) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    Set<Long> full = new HashSet<>();
    taken.values().forEach(one -> full.add(one.seat()));
    List<TaskOrder> due = new ArrayList<>();
    for (TaskOrder order : waiting.values()) {
      if (order.seat() == 0 || full.add(order.seat())) {
        due.add(order);
      }
    }
    for (TaskOrder order : due) {
      waiting.remove(order.attempt());
      taken.put(order.attempt(), new Taken(order.seat(), now));
    }
    return due;
  }

  /** Takes out those that wait for a seat that another has had for longer than this. */
  public List<AttemptId> giveUp(long longestNanos, long now) {
    Set<Long> slow = new HashSet<>();
    for (Taken one : taken.values()) {
      if (now - one.since() > longestNanos) {
        slow.add(one.seat());
      }
    }
    List<AttemptId> given = new ArrayList<>();
    for (TaskOrder order : waiting.values()) {
      if (slow.contains(order.seat())) {
        given.add(order.attempt());
      }
    }
    given.forEach(waiting::remove);
    return given;
  }
}
