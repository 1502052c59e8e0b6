package io.remuda.telemetry.host;

import io.remuda.telemetry.model.TransferReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes rates of the counters of disks or network interfaces. Not thread-safe. */
final class TransferMeter {
  private static final double NANOS = 1e9;

  private record Counted(long in, long out) {}

  private Map<String, Counted> before = Map.of();
  private long beforeNanos;
  private Map<String, Counted> now = new HashMap<>();

  /** Adds a reading. */
  void add(String name, long in, long out) {
    now.put(name, new Counted(in, out));
  }

  /**
   * Ends the readings of a moment.
   *
   * @param nanos monotonic time
   * @return what was added since the last call, by name; null if nothing was
   */
  List<TransferReading> readings(long nanos) {
    double seconds = (nanos - beforeNanos) / NANOS;
    List<TransferReading> readings = new ArrayList<>();
    now.forEach((name, counted) -> readings.add(reading(name, counted, seconds)));
    readings.sort(Comparator.comparing(TransferReading::name));
    before = now;
    beforeNanos = nanos;
    now = new HashMap<>();
    return readings.isEmpty() ? null : readings;
  }

  private TransferReading reading(String name, Counted counted, double seconds) {
    Counted last = before.get(name);
    return new TransferReading(
        name,
        counted.in(),
        counted.out(),
        last == null ? null : rate(last.in(), counted.in(), seconds),
        last == null ? null : rate(last.out(), counted.out(), seconds));
  }

  /** Returns the rate; null for a counter that has begun anew, or wrapped. */
  private static Double rate(long before, long now, double seconds) {
    return now < before || seconds <= 0 ? null : Double.valueOf((now - before) / seconds);
  }
}
