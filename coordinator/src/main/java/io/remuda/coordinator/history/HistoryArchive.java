package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.waits.WaitRecords;
import java.util.Optional;

/** The history of this server while it leads; none while it does not. Any thread. */
public final class HistoryArchive {

  private volatile HistoryStore store;
  private volatile TaskCurveStore curves;
  private volatile WaitRecords waits;

  /** Sets the stores, or null if they are closed. */
  void set(HistoryStore next, TaskCurveStore nextCurves) {
    store = next;
    curves = nextCurves;
  }

  /** Returns the curves of single attempts, if they are open. */
  public Optional<TaskCurveStore> curves() {
    return Optional.ofNullable(curves);
  }

  /** Sets why jobs have waited, or null if that is closed. */
  void setWaits(WaitRecords next) {
    waits = next;
  }

  /** Returns why jobs have waited, if that is kept. */
  public Optional<WaitRecords> waits() {
    return Optional.ofNullable(waits);
  }

  /** Returns the store, if it is open. */
  public Optional<HistoryStore> store() {
    return Optional.ofNullable(store);
  }
}
