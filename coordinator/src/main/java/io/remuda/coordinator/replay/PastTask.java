package io.remuda.coordinator.replay;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;

/**
 * A task that had a place. Times are milliseconds since 1970.
 *
 * @param index of its job
 * @param startedMillis when its first attempt started
 * @param endedMillis when its newest attempt ended; of one that runs, the present
 * @param ranMillis how long its attempts ran, without what preemptions have lost
 * @param succeeded whether it ended with exit code 0
 * @param preemptions how often it was asked to leave its place
 * @param gpuPeakBytes the most memory that it used of one GPU; null if that is not known
 * @param held which GPUs its attempts had, and when
 */
record PastTask(
    int index,
    long startedMillis,
    long endedMillis,
    long ranMillis,
    boolean succeeded,
    int preemptions,
    Long gpuPeakBytes,
    List<GpuTime> held) {

  PastTask {
    held = List.copyOf(held);
    if (endedMillis < startedMillis || ranMillis < 0) {
      throw new IllegalArgumentException(
          "a task ends after its start and runs for 0 ms or more, got "
              + startedMillis
              + ", "
              + endedMillis
              + " and "
              + ranMillis);
    }
  }

  /** A time in which a task had a GPU; one of an earlier attempt has a name of its own. */
  record GpuTime(DeviceId gpu, long fromMillis, long toMillis) {}

  /** Returns whether it had its place before a time and kept it beyond. */
  boolean runsAt(long millis) {
    return startedMillis < millis && endedMillis > millis;
  }
}
