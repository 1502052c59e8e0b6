package io.remuda.worker.main;

import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The pool's items as a worker sees them: it asks for a range while it works on the one before, so
 * that it does not wait for the answer. Answers belong to their request's sequence number; a
 * repeated one changes nothing. Thread-safe.
 */
final class ItemFeed {

  /** Items {@code from} (included) to {@code to} (excluded). */
  record Range(int from, int to) {}

  private final ToLongFunction<WorkerEvent> tell;
  private final Map<Long, Optional<Range>> answers = new HashMap<>();
  private long asked;

  ItemFeed(ToLongFunction<WorkerEvent> tell) {
    this.tell = tell;
  }

  /** Asks for the first range. */
  synchronized void begin() {
    asked = tell.applyAsLong(new WorkerEvent.ItemsWanted());
  }

  /** The next range, or nothing when the pool is empty; asks for the one after it. */
  synchronized Optional<Range> next() throws InterruptedException {
    while (!answers.containsKey(asked)) {
      wait();
    }
    Optional<Range> range = answers.remove(asked);
    if (range.isPresent()) {
      begin();
    } else {
      answers.put(asked, range);
    }
    return range;
  }

  synchronized void receive(ToWorker frame) {
    if (frame instanceof ToWorker.ItemsGranted granted && granted.request() == asked) {
      answers.put(asked, Optional.of(new Range(granted.from(), granted.to())));
    } else if (frame instanceof ToWorker.NoMoreItems none && none.request() == asked) {
      answers.put(asked, Optional.empty());
    }
    notifyAll();
  }
}
