package io.remuda.coordinator.actor;

import io.remuda.coordinator.store.LogEntry;
import java.util.List;
import java.util.Optional;

/** Makes changes durable before anybody hears of them. */
public interface DurableLog {

  /** For runs that end with their coordinator: nothing is kept, and nothing waits. */
  DurableLog NOT =
      new DurableLog() {
        @Override
        public void append(List<LogEntry> entries, Runnable committed) {
          committed.run();
        }

        @Override
        public Optional<String> trouble() {
          return Optional.empty();
        }
      };

  /** Runs {@code committed} once the entries are durable; on any thread, in order. */
  void append(List<LogEntry> entries, Runnable committed);

  /** Why nothing can be made durable at present, or nothing if all is well. */
  Optional<String> trouble();
}
