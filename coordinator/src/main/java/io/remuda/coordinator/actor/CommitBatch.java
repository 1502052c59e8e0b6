package io.remuda.coordinator.actor;

import io.remuda.coordinator.store.LogEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that become durable together: a job that is submitted and placed at once costs one commit.
 * Where nothing is kept nothing waits. Used by the coordinator's actor alone.
 */
final class CommitBatch {

  private final DurableLog durableLog;
  private final List<LogEntry> rows = new ArrayList<>();
  private final List<Runnable> effects = new ArrayList<>();

  CommitBatch(DurableLog durableLog) {
    this.durableLog = durableLog;
  }

  /** Whether anything outlives this coordinator. */
  boolean areKept() {
    return durableLog != DurableLog.NOT;
  }

  /**
   * Has rows made durable with the next {@link #save}.
   *
   * @param committed runs when they are, on the thread that writes; at once where nothing is kept
   */
  void append(List<LogEntry> more, Runnable committed) {
    if (areKept()) {
      rows.addAll(more);
      effects.add(committed);
    } else {
      durableLog.append(more, committed);
    }
  }

  /** Whether something waits to be saved. */
  boolean isDue() {
    return !effects.isEmpty();
  }

  /** Hands over what has come up since the last time. */
  void save() {
    if (isDue()) {
      List<Runnable> then = List.copyOf(effects);
      durableLog.append(List.copyOf(rows), () -> then.forEach(Runnable::run));
      rows.clear();
      effects.clear();
    }
  }
}
