package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.jobfield.FieldDoc;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.NeedsRows;

/** Reads {@code shareIf}, the speed that a task keeps beside others. */
final class SharePromiseField {

  /** Speeds are known of pairs. */
  private static final int MOST = 2;

  private static final int ALL = 100;

  private SharePromiseField() {}

  /** Returns the most tasks on a GPU if {@code perGpu} is not given; 0 for no limit. */
  static int mostPerGpu(FieldValues fields) {
    return fields.has(NeedsRows.SHARE_IF) ? MOST : 0;
  }

  /**
   * Returns the promised speed in percent; 0 for none.
   *
   * @param gpuMemory what is asked for of each device
   */
  static int percent(FieldValues fields, long gpuMemory) {
    Double speed = fields.get(NeedsRows.SHARE_IF);
    if (speed == null) {
      return 0;
    }
    FieldDoc bounds = NeedsRows.SHARE_IF.doc();
    if (!(speed >= bounds.least() && speed <= bounds.most())) {
      throw new IllegalArgumentException(
          "shareIf must be "
              + bounds.least()
              + " to "
              + bounds.most()
              + " of the speed alone, such as 0.85, got "
              + speed);
    }
    NeedsRows.checkPromise(gpuMemory);
    Integer perGpu = fields.get(NeedsRows.PER_GPU);
    if (fields.or(NeedsRows.EXCLUSIVE, false) || perGpu != null && perGpu != MOST) {
      throw new IllegalArgumentException(
          "shareIf means perGpu 2, got " + (perGpu == null ? "exclusive" : "perGpu " + perGpu));
    }
    return (int) Math.round(speed * ALL);
  }
}
