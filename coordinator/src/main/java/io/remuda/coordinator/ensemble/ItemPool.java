package io.remuda.coordinator.ensemble;

import io.remuda.worker.job.AttemptId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The items of a pool, handed out in ranges on request, so that a slow worker takes fewer. A range
 * whose worker was lost is handed out again. One thread.
 */
final class ItemPool {

  /** Items {@code from} (included) to {@code to} (excluded). */
  record Range(int from, int to) {}

  private static final int MOST_PER_RANGE = 32;
  private static final int RANGES_PER_WORKER = 4;

  private final int total;
  private final Deque<Range> waiting = new ArrayDeque<>();
  private final Map<AttemptId, List<Range>> held = new HashMap<>();
  private final BitSet done = new BitSet();

  ItemPool(int total, int workers) {
    this.total = total;
    int chunk = Math.max(1, Math.min(MOST_PER_RANGE, total / (RANGES_PER_WORKER * workers)));
    for (int from = 0; from < total; from += chunk) {
      waiting.addLast(new Range(from, Math.min(total, from + chunk)));
    }
  }

  /** Returns the next range for a worker; empty if no range is left. */
  Optional<Range> next(AttemptId worker) {
    Optional<Range> range = Optional.ofNullable(waiting.pollFirst());
    range.ifPresent(given -> held.computeIfAbsent(worker, key -> new ArrayList<>()).add(given));
    return range;
  }

  void done(AttemptId worker, int from, int to) {
    Range range = new Range(from, to);
    if (held.containsKey(worker) && held.get(worker).remove(range)) {
      done.set(from, to);
    }
  }

  /** Puts the ranges of a lost worker back to the front of the queue. */
  void returned(AttemptId worker) {
    List<Range> ranges = held.remove(worker);
    if (ranges != null) {
      for (int i = ranges.size() - 1; i >= 0; i--) {
        waiting.addFirst(ranges.get(i));
      }
    }
  }

  int doneItems() {
    return done.cardinality();
  }

  int total() {
    return total;
  }
}
