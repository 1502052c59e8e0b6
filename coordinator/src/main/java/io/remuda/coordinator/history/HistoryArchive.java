package io.remuda.coordinator.history;

import java.util.Optional;

/** The history of this server while it leads; none while it does not. Any thread. */
public final class HistoryArchive {

  private volatile HistoryStore store;

  /** Sets the store, or null if it is closed. */
  void set(HistoryStore next) {
    store = next;
  }

  /** Returns the store, if it is open. */
  public Optional<HistoryStore> store() {
    return Optional.ofNullable(store);
  }
}
