package io.remuda.examples.telemetry;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.simulated.SimulatedDeviceSource;
import io.remuda.telemetry.simulated.SimulatedMachine;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.window.RollingWindow;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A computation over samples: finds GPUs whose utilisation over the last minute was low.
 *
 * <p>It keeps a {@link RollingWindow} for each device. A window holds twelve rollups of five
 * seconds, not the values themselves, so its memory does not grow. The caller passes the time, so
 * that a test needs no clock. One thread at a time.
 *
 * <p>{@link #main} looks at two minutes of a simulated machine; {@code DeviceSources.open} would
 * give the GPUs of this one.
 */
public final class IdleGpuFinder {

  private static final Duration BUCKET = Duration.ofSeconds(5);
  private static final int BUCKETS = 12;

  private final double mostPercent;
  private final Map<DeviceId, RollingWindow> windows = new LinkedHashMap<>();

  /**
   * @param mostPercent mean utilisation up to which a GPU counts as idle, 0-100
   */
  IdleGpuFinder(double mostPercent) {
    this.mostPercent = mostPercent;
  }

  /** Adds samples that were taken at a time in milliseconds; the time never goes back. */
  void add(long atMillis, List<DeviceSample> samples) {
    for (DeviceSample sample : samples) {
      windows
          .computeIfAbsent(sample.id(), id -> new RollingWindow(BUCKET, BUCKETS))
          .add(atMillis, sample.utilGpu()); // a missing reading is null and is ignored
    }
  }

  /**
   * Returns the devices that were idle in the minute before {@code nowMillis}. A device without any
   * reading is not among them: its mean is not a number, and missing is not zero.
   */
  List<DeviceId> idle(long nowMillis) {
    return windows.entrySet().stream()
        .filter(device -> device.getValue().rollup(nowMillis).mean() <= mostPercent)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Argument: the percentage, 40 by default. Prints the idle GPUs of a simulated machine. */
  public static void main(String[] arguments) {
    double mostPercent = arguments.length == 0 ? 40 : Double.parseDouble(arguments[0]);
    IdleGpuFinder finder = new IdleGpuFinder(mostPercent);
    long now = 0;
    try (DeviceSource source =
        new SimulatedDeviceSource(SimulatedMachine.parse("h200:8", "example"))) {
      for (int second = 0; second < 120; second++) {
        now = second * 1000L;
        finder.add(now, source.sample());
      }
      System.out.println(
          source.description() + ", up to " + mostPercent + " % in the last minute:");
    }
    finder.idle(now).forEach(System.out::println);
  }
}
