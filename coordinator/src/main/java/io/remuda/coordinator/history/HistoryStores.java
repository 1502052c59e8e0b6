package io.remuda.coordinator.history;

import io.remuda.coordinator.curve.TaskCurveStore;
import io.remuda.coordinator.occupancy.GpuRecords;
import io.remuda.coordinator.waits.WaitRecords;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a history has, which is opened and closed together.
 *
 * @param points readings of nodes, GPUs, tasks and the queue
 * @param curves of single attempts
 * @param waits why jobs have waited
 * @param gpus who had which GPU
 */
record HistoryStores(HistoryStore points, TaskCurveStore curves, WaitRecords waits, GpuRecords gpus)
    implements Closeable {

  private static final String CURVES = "curves";
  private static final String WAITS = "waits";
  private static final String GPUS = "gpus";

  /** Part of the bytes that small curves of ended tasks may have. */
  private static final int CURVES_PART = 4;

  /**
   * Opens the history of a folder, which is made if it is missing.
   *
   * @param mostBytes that points and curves may have
   * @param second since 1970
   * @throws IOException if a part cannot be used; then none is open
   */
  static HistoryStores open(Path folder, long mostBytes, long second) throws IOException {
    List<Closeable> opened = new ArrayList<>();
    try {
      long curveBytes = mostBytes / CURVES_PART;
      HistoryStore points = HistoryStore.open(folder, mostBytes - curveBytes, second);
      opened.add(points);
      TaskCurveStore curves = TaskCurveStore.open(folder.resolve(CURVES), curveBytes);
      opened.add(curves);
      WaitRecords waits = WaitRecords.open(folder.resolve(WAITS), second);
      opened.add(waits);
      return new HistoryStores(
          points, curves, waits, GpuRecords.open(folder.resolve(GPUS), second));
    } catch (IOException | RuntimeException fault) {
      close(opened, fault);
      throw fault;
    }
  }

  /**
   * Writes what is not written yet.
   *
   * @throws IOException if a part could not be written; the others are
   */
  @Override
  public void close() throws IOException {
    IOException faults = new IOException("not all is written");
    close(List.of(waits, gpus, curves, points), faults);
    if (faults.getSuppressed().length > 0) {
      throw faults;
    }
  }

  private static void close(List<Closeable> stores, Exception into) {
    for (Closeable store : stores) {
      try {
        store.close();
      } catch (IOException fault) {
        into.addSuppressed(fault);
      }
    }
  }
}
