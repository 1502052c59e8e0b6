package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.proc.BootClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Requests that wait for their slot to be free, in order of arrival. One thread at a time. */
final class SlotQueue {

  /**
   * A request that waits.
   *
   * @param expiresAtMillis of {@link BootClock}; the task does not start after that
   * @param client number of the client that sent it
   * @param asker receives the answer
   */
  record Waiting(SpawnRequest request, long expiresAtMillis, long client, Keeper.Asker asker) {}

  private final Map<Long, ArrayDeque<Waiting>> bySlot = new HashMap<>();

  void add(Waiting waiting) {
    bySlot.computeIfAbsent(waiting.request().slot(), slot -> new ArrayDeque<>()).add(waiting);
  }

  boolean isEmpty(long slot) {
    return !bySlot.containsKey(slot);
  }

  /** Removes and returns the first request of a slot; null if there is none. */
  Waiting poll(long slot) {
    ArrayDeque<Waiting> queue = bySlot.get(slot);
    if (queue == null) {
      return null;
    }
    Waiting first = queue.remove();
    if (queue.isEmpty()) {
      bySlot.remove(slot);
    }
    return first;
  }

  /** Removes and returns all requests that match. */
  List<Waiting> remove(Predicate<Waiting> which) {
    List<Waiting> removed = new ArrayList<>();
    for (Iterator<ArrayDeque<Waiting>> queues = bySlot.values().iterator(); queues.hasNext(); ) {
      ArrayDeque<Waiting> queue = queues.next();
      queue.removeIf(one -> which.test(one) && removed.add(one));
      if (queue.isEmpty()) {
        queues.remove();
      }
    }
    return removed;
  }
}
