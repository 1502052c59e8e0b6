package io.remuda.coordinator.actor;

import io.remuda.coordinator.store.LogEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects rows for one commit, so that a job that is submitted and placed at once costs only one.
 * Without a store, callbacks run at once. Used only by the coordinator's actor.
 */
final class CommitBatch {

  private final DurableLog durableLog;
  private final List<LogEntry> rows = new ArrayList<>();
  private final List<Runnable> effects = new ArrayList<>();

  CommitBatch(DurableLog durableLog) {
    this.durableLog = durableLog;
  }

  /** Returns whether there is a store. */
  boolean areKept() {
    return durableLog != DurableLog.NOT;
  }

  /**
   * Adds rows to the next {@link #save}.
   *
   * @param committed runs when they are durable, on the writer's thread; at once without a store
   */
  void append(List<LogEntry> more, Runnable committed) {
    if (areKept()) {
      rows.addAll(more);
      effects.add(committed);
    } else {
      durableLog.append(more, committed);
    }
  }

  /** Returns whether rows or callbacks wait for {@link #save}. */
  boolean isDue() {
    return !effects.isEmpty();
  }

  /** Passes the collected rows to the log, as one batch. */
  void save() {
    if (isDue()) {
      List<Runnable> then = List.copyOf(effects);
      durableLog.append(List.copyOf(rows), () -> then.forEach(Runnable::run));
      rows.clear();
      effects.clear();
    }
  }
}
