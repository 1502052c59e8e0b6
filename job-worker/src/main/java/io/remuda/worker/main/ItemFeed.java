package io.remuda.worker.main;

import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The pool's items as one worker receives them. The worker requests the next range while it
 * processes the current one, so that it does not wait for the answer. Answers carry their request's
 * sequence number; repeated answers are ignored. Thread-safe.
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

  /** Requests the first range. */
  synchronized void begin() {
    asked = tell.applyAsLong(new WorkerEvent.ItemsWanted());
  }

  /**
   * Waits for the next range and requests the one after it; returns empty when the pool has no
   * items left.
   */
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
