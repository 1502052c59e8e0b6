package io.remuda.telemetry.host;

import io.remuda.telemetry.model.HostDetails;
import io.remuda.telemetry.model.TransferReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reads cores, disks, networks, temperatures and file systems of a machine. A call reads two small
 * files; which of the devices count is looked up when their number has changed, and each 5 minutes.
 * Not thread-safe.
 */
final class HostDetailReader {
  private static final long LOOK = TimeUnit.MINUTES.toNanos(5);
  private static final int BYTES_PER_SECTOR = 512; // the kernel's unit, whatever the disk has
  private static final int FIELDS_TO_NAME = 2;
  private static final int FIELDS_TO_SENT = 7;

  private final HostPaths paths;
  private final HeldKernelFile diskFile;
  private final HeldKernelFile networkFile;
  private final TransferMeter diskMeter = new TransferMeter();
  private final TransferMeter networkMeter = new TransferMeter();
  private final SlowReadings slow;
  private Set<String> disks;
  private int diskLines;
  private Set<String> networks;
  private int networkLines;
  private long lookedNanos;

  HostDetailReader(HostPaths paths) {
    this.paths = paths;
    this.diskFile = new HeldKernelFile(paths.proc().resolve("diskstats"));
    this.networkFile = new HeldKernelFile(paths.proc().resolve("self/net/dev"));
    this.slow = SlowReadings.of(paths);
  }

  /**
   * Reads everything.
   *
   * @param now monotonic time in nanoseconds
   */
  HostDetails read(CpuMeter cpu, long now) {
    if (now - lookedNanos >= LOOK) {
      disks = null;
      networks = null;
      lookedNanos = now;
    }
    slow.renew(now);
    return new HostDetails(
        cpu.seconds(),
        cpu.cores(),
        disks(now),
        networks(now),
        slow.temperatures(now),
        slow.fileSystems(now));
  }

  private List<TransferReading> disks(long now) {
    KernelWords words = diskFile.words();
    if (disks == null || words.lines() != diskLines) {
      disks = CountedDevices.disks(paths.sys());
      diskLines = words.lines();
    }
    while (words.nextLine()) {
      String name = words.skip(FIELDS_TO_NAME).word();
      if (disks.contains(name)) {
        long read = words.skip(2).number();
        long written = words.skip(3).number();
        if (read >= 0 && written >= 0) {
          diskMeter.add(name, read * BYTES_PER_SECTOR, written * BYTES_PER_SECTOR);
        }
      }
    }
    return diskMeter.readings(now);
  }

  private List<TransferReading> networks(long now) {
    KernelWords words = networkFile.words();
    if (networks == null || words.lines() != networkLines) {
      networks = CountedDevices.networks(paths.sys());
      networkLines = words.lines();
    }
    while (words.nextLine()) {
      String name = words.word();
      if (networks.contains(name)) {
        long received = words.number();
        long sent = words.skip(FIELDS_TO_SENT).number();
        if (received >= 0 && sent >= 0) {
          networkMeter.add(name, received, sent);
        }
      }
    }
    return networkMeter.readings(now);
  }

  /** Makes rates of the counters of disks or network interfaces. Not thread-safe. */
  private static final class TransferMeter {
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
}
