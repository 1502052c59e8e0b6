package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.waits.WaitRecords;
import java.util.Optional;

/** The history of this server while it leads; none while it does not. Any thread. */
public final class HistoryArchive {

  private volatile HistoryStores stores; // null while there is none

  /** Sets what is open. */
  void set(HistoryStores next) {
    stores = next;
  }

  /** Forgets what is going to be closed. */
  void clear() {
    stores = null;
  }

  private Optional<HistoryStores> open() {
    return Optional.ofNullable(stores);
  }

  /** Returns the curves of single attempts, if they are open. */
  public Optional<TaskCurveStore> curves() {
    return open().map(HistoryStores::curves);
  }

  /** Returns who had which GPU, if that is kept. */
  public Optional<GpuRecords> gpus() {
    return open().map(HistoryStores::gpus);
  }

  /** Returns why jobs have waited, if that is kept. */
  public Optional<WaitRecords> waits() {
    return open().map(HistoryStores::waits);
  }

  /** Returns the store, if it is open. */
  public Optional<HistoryStore> store() {
    return open().map(HistoryStores::points);
  }
}
