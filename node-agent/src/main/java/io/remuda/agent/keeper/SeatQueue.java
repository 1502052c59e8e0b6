package io.remuda.agent.keeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Requests that wait until the task that has their seat is gone, in the order in which they came.
 * One thread at a time.
 */
final class SeatQueue {

  /**
   * A request that waits.
   *
   * @param expiresAtMillis of {@link BootClock}; later it is not started
   * @param client the number of the one that asked
   * @param asker takes the answer
   */
  record Waiting(SpawnRequest request, long expiresAtMillis, long client, Keeper.Asker asker) {}

  private final Map<Long, ArrayDeque<Waiting>> bySeat = new HashMap<>();

  void add(Waiting waiting) {
    bySeat.computeIfAbsent(waiting.request().seat(), seat -> new ArrayDeque<>()).add(waiting);
  }

  boolean isEmpty(long seat) {
    return !bySeat.containsKey(seat);
  }

  /** Takes out the first of a seat; null if there is none. */
  Waiting poll(long seat) {
    ArrayDeque<Waiting> queue = bySeat.get(seat);
    if (queue == null) {
      return null;
    }
    Waiting first = queue.remove();
    if (queue.isEmpty()) {
      bySeat.remove(seat);
    }
    return first;
  }

  /** Takes out all of which this is so. */
  List<Waiting> remove(Predicate<Waiting> which) {
    List<Waiting> removed = new ArrayList<>();
    for (Iterator<ArrayDeque<Waiting>> queues = bySeat.values().iterator(); queues.hasNext(); ) {
      ArrayDeque<Waiting> queue = queues.next();
      queue.removeIf(one -> which.test(one) && removed.add(one));
      if (queue.isEmpty()) {
        queues.remove();
      }
    }
    return removed;
  }
}
