package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.waits.WaitRecords;
import java.util.Optional;

/** The history of this server while it leads; none while it does not. Any thread. */
public final class HistoryArchive {

  private volatile HistoryStore store;
  private volatile TaskCurveStore curves;
  private volatile WaitRecords waits;
  private volatile GpuRecords gpus;

  /** Sets the store, or null if it is closed. */
  void set(HistoryStore next) {
    store = next;
  }

  /** Sets the curves of single attempts, or null if they are closed. */
  void setCurves(TaskCurveStore next) {
    curves = next;
  }

  /** Returns the curves of single attempts, if they are open. */
  public Optional<TaskCurveStore> curves() {
    return Optional.ofNullable(curves);
  }

  /** Sets why jobs have waited and who had which GPU, or null if these are closed. */
  void set(WaitRecords nextWaits, GpuRecords nextGpus) {
    waits = nextWaits;
    gpus = nextGpus;
  }

  /** Returns who had which GPU, if that is kept. */
  public Optional<GpuRecords> gpus() {
    return Optional.ofNullable(gpus);
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
