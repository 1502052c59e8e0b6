package io.remuda.telemetry.host;

import io.remuda.telemetry.model.FileSystemReading;
import io.remuda.telemetry.model.TemperatureReading;
import java.io.File;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads what changes slowly and may stand still: temperatures each 10 s, file systems each 30 s.
 *
 * <p><b>Threads.</b> Each round has a daemon thread that ends with it, so nothing waits for it, and
 * in between there is none. A thread that stands still, as in a mount whose server is away, keeps
 * that part to itself: later rounds leave it out until the thread returns, and read all others.
 * When so many stand still that there may be only one more, that one reads nothing that is remote.
 * When it stands still, too, as in a local disk, nothing is read.
 *
 * <p>A reading that could not be renewed is not known any more after two and a half rounds.
 */
final class SlowReadings {
  private static final int MOST_THREADS = 8;
  private static final long TURN = TimeUnit.SECONDS.toNanos(10);
  private static final int TURNS_OF_FILE_SYSTEMS = 3;
  private static final String TEMPERATURES = ""; // no folder has this name

  private record Timed<T>(T value, long nanos) {
    private boolean isFresh(long now, int turns) {
      return now - nanos <= turns * TURN * 5 / 2;
    }
  }

  private final Supplier<List<MountTable.Mount>> mounts;
  private final Function<File, long[]> room;
  private final Supplier<List<TemperatureReading>> sensors;

  // guarded by this

  /** Parts that a thread is inside of. */
  private final Set<String> inside = new HashSet<>();

  private final Map<String, Timed<FileSystemReading>> fileSystems = new LinkedHashMap<>();
  private Timed<List<TemperatureReading>> temperatures;
  private int threads;
  private long turns;
  private long nextNanos;

  /**
   * @param mounts lists the file systems
   * @param room returns size, unused bytes and bytes free for a user; may block for ever
   * @param sensors reads the temperatures; may block
   */
  SlowReadings(
      Supplier<List<MountTable.Mount>> mounts,
      Function<File, long[]> room,
      Supplier<List<TemperatureReading>> sensors) {
    this.mounts = mounts;
    this.room = room;
    this.sensors = sensors;
  }

  /** Creates them for a machine. */
  static SlowReadings of(HostPaths paths) {
    return new SlowReadings(
        () -> MountTable.of(KernelFile.text(paths.proc().resolve("self/mounts"))),
        folder ->
            new long[] {folder.getTotalSpace(), folder.getFreeSpace(), folder.getUsableSpace()},
        () -> TemperatureReader.read(paths.sys()));
  }

  /**
   * Begins a round if one is due; does not wait for it.
   *
   * @param now monotonic time in nanoseconds
   */
  synchronized void renew(long now) {
    if (turns > 0 && now - nextNanos < 0 || threads >= MOST_THREADS) {
      return;
    }
    boolean all = turns % TURNS_OF_FILE_SYSTEMS == 0;
    turns++;
    nextNanos = now + TURN;
    threads++;
    boolean remote = threads < MOST_THREADS;
    Thread thread = new Thread(null, () -> round(now, all, remote), "slow-readings", 1 << 17);
    thread.setDaemon(true);
    thread.start();
  }

  private void round(long now, boolean all, boolean remote) {
    try {
      List<MountTable.Mount> read = all ? mounts.get() : List.of();
      read.stream().filter(mount -> !mount.remote()).forEach(mount -> read(mount, now));
      alone(TEMPERATURES, () -> keep(new Timed<>(sensors.get(), now)));
      if (remote) {
        read.stream().filter(MountTable.Mount::remote).forEach(mount -> read(mount, now));
      }
    } finally {
      synchronized (this) {
        threads--;
      }
    }
  }

  /** Does something unless another thread is at it. */
  private void alone(String part, Runnable reading) {
    synchronized (this) {
      if (!inside.add(part)) {
        return;
      }
    }
    try {
      reading.run();
    } finally {
      synchronized (this) {
        inside.remove(part);
      }
    }
  }

  private void read(MountTable.Mount mount, long now) {
    alone(
        mount.folder(),
        () -> {
          long[] bytes = room.apply(new File(mount.folder()));
          if (bytes[0] > 0) { // else it cannot be asked
            keep(
                new Timed<>(
                    new FileSystemReading(
                        mount.folder(), mount.type(), bytes[0], bytes[0] - bytes[1], bytes[2]),
                    now));
          }
        });
  }

  /** Keeps a reading unless a thread that stood still brings an older one. */
  private synchronized void keep(Timed<?> reading) {
    if (reading.value() instanceof FileSystemReading value) {
      fileSystems.merge(
          value.mount(),
          new Timed<>(value, reading.nanos()),
          (old, one) -> old.nanos() - one.nanos() > 0 ? old : one);
    } else if (temperatures == null || temperatures.nanos() - reading.nanos() <= 0) {
      List<TemperatureReading> values = new ArrayList<>();
      ((List<?>) reading.value()).forEach(value -> values.add((TemperatureReading) value));
      temperatures = new Timed<>(values, reading.nanos());
    }
  }

  /** Returns how many threads are at it. */
  synchronized int threads() {
    return threads;
  }

  /** Returns the file systems that answer; null while none is known. */
  synchronized List<FileSystemReading> fileSystems(long now) {
    fileSystems.values().removeIf(timed -> !timed.isFresh(now, TURNS_OF_FILE_SYSTEMS));
    return fileSystems.isEmpty() ? null : fileSystems.values().stream().map(Timed::value).toList();
  }

  /** Returns the temperatures; null while none is known. */
  synchronized List<TemperatureReading> temperatures(long now) {
    boolean known = temperatures != null && temperatures.isFresh(now, 1);
    return known && !temperatures.value().isEmpty() ? temperatures.value() : null;
  }
}
