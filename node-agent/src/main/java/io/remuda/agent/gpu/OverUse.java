package io.remuda.agent.gpu;

import io.remuda.agent.attempt.PromisedGpuMemoryNote;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A task that uses more memory of a shared device than it was promised.
 *
 * @param used bytes
 * @param promised bytes
 * @param isMissed whether other tasks need the excess, so that the task is to be stopped
 */
record OverUse(AttemptId attempt, DeviceId device, long used, long promised, boolean isMissed) {

  /** The driver counts in pages, and the size of a context varies a little between runs. */
  private static final double TOLERANCE = 1.05;

  /** Free share of a device below which no task can allocate memory. */
  private static final double RUN_OUT = 0.01;

  private static final double GIBIBYTE = 1L << 30;

  /**
   * Returns the tasks of a sample that use too much. On each device at most one is to be stopped,
   * the one with the largest excess; without it there may be enough.
   *
   * @param promises promises of the attempts on this node; attempts without one have whole devices
   */
  static List<OverUse> in(NodeSample sample, Map<AttemptId, PromisedGpuMemoryNote> promises) {
    List<OverUse> all = new ArrayList<>();
    for (DeviceSample device : sample.devices()) {
      all.addAll(on(device, promises));
    }
    return all;
  }

  private static List<OverUse> on(
      DeviceSample device, Map<AttemptId, PromisedGpuMemoryNote> promises) {
    Map<AttemptId, Long> used = usedOn(device, promises);
    List<OverUse> over = new ArrayList<>();
    used.forEach(
        (attempt, bytes) -> {
          long promised = promises.get(attempt).bytes();
          if (bytes > promised * TOLERANCE) {
            over.add(new OverUse(attempt, device.id(), bytes, promised, false));
          }
        });
    if (over.isEmpty() || device.memTotal() == null || device.memUsed() == null) {
      return over;
    }
    long reserved = device.memReserved() == null ? 0 : device.memReserved();
    long free = device.memTotal() - reserved - device.memUsed();
    if (free < Math.max(owed(device.id(), used, promises), device.memTotal() * RUN_OUT)) {
      over.sort(Comparator.comparingLong(OverUse::excess).reversed());
      OverUse worst = over.get(0);
      over.set(0, new OverUse(worst.attempt, worst.device, worst.used, worst.promised, true));
    }
    return over;
  }

  private static Map<AttemptId, Long> usedOn(
      DeviceSample device, Map<AttemptId, PromisedGpuMemoryNote> promises) {
    Map<AttemptId, Long> used = new TreeMap<>();
    if (device.processes() != null) {
      for (DeviceProcess process : device.processes()) {
        if (process.memBytes() != null && process.task() != null) {
          used.merge(AttemptId.parse(process.task()), process.memBytes(), Long::sum);
        }
      }
    }
    used.keySet().retainAll(promises.keySet());
    return used;
  }

  /**
   * Returns the promised bytes that tasks have not used yet, including tasks that are not seen on
   * the device.
   */
  private static long owed(
      DeviceId device, Map<AttemptId, Long> used, Map<AttemptId, PromisedGpuMemoryNote> promises) {
    long owed = 0;
    for (Map.Entry<AttemptId, PromisedGpuMemoryNote> one : promises.entrySet()) {
      if (one.getValue().devices().contains(device.uuid())) {
        owed += Math.max(0, one.getValue().bytes() - used.getOrDefault(one.getKey(), 0L));
      }
    }
    return owed;
  }

  private long excess() {
    return used - promised;
  }

  /** Returns the text for the user. */
  String text() {
    return String.format(
        Locale.ROOT,
        "uses %.1f GiB of %s and was promised %.1f GiB",
        used / GIBIBYTE,
        device.uuid(),
        promised / GIBIBYTE);
  }
}
