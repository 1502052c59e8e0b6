package io.remuda.telemetry.host;

import io.remuda.telemetry.model.CpuSeconds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How busy the CPUs were between two readings of {@code stat}. Not thread-safe. */
final class CpuMeter {
  private static final int MODES = 8; // guest time, which follows, is in user time already
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int LEAST_FIELDS = 5;
  private static final int PERCENT = 100;

  /** The kernel's unit for programs, on every architecture. */
  private static final double TICKS_PER_SECOND = 100;

  private final HeldKernelFile stat;
  private final long[] modes = new long[MODES];

  /** Of the whole machine first and then of each core: busy, all. Null before the first reading. */
  private long[][] before;

  private long[][] now;

  CpuMeter(HeldKernelFile stat) {
    this.stat = stat;
  }

  /** Reads the file; what the other methods return is about the time since the reading before. */
  void read() {
    before = now;
    List<long[]> lines = new ArrayList<>(before == null ? MODES : before.length);
    KernelWords words = stat.words();
    while (words.nextLine() && words.isAt("cpu")) {
      long[] line = line(words.skip(), lines.isEmpty());
      if (line == null) {
        break;
      }
      lines.add(line);
    }
    now = lines.isEmpty() ? null : lines.toArray(new long[0][]);
  }

  /** Takes what another meter has read last as a reading of its own. */
  void follow(CpuMeter other) {
    before = now;
    now = other.now;
    System.arraycopy(other.modes, 0, modes, 0, MODES);
  }

  private long[] line(KernelWords words, boolean all) {
    long total = 0;
    long idle = 0;
    for (int mode = 0; mode < MODES; mode++) {
      long ticks = words.number();
      if (ticks < 0) {
        if (mode < LEAST_FIELDS) {
          return null;
        }
        ticks = 0; // an old kernel has fewer
      }
      total += ticks;
      idle += mode == IDLE || mode == IO_WAIT ? ticks : 0;
      if (all) {
        modes[mode] = ticks;
      }
    }
    return new long[] {total - idle, total};
  }

  /** Returns the share of busy time of all CPUs, 0-1; null when no time has passed. */
  Double busyShare() {
    return now == null || before == null ? null : share(before[0], now[0]);
  }

  private static Double share(long[] before, long[] now) {
    long passed = now[1] - before[1];
    return passed <= 0
        ? null
        : Double.valueOf(Math.max(0, Math.min(1, (double) (now[0] - before[0]) / passed)));
  }

  /**
   * Returns how busy each core was, percent; null if that is not known of one, or their number has
   * changed.
   */
  List<Integer> cores() {
    if (now == null || before == null || now.length != before.length || now.length == 1) {
      return null;
    }
    Integer[] cores = new Integer[now.length - 1];
    for (int core = 0; core < cores.length; core++) {
      Double share = share(before[core + 1], now[core + 1]);
      if (share == null) {
        return null;
      }
      cores[core] = (int) Math.round(share * PERCENT);
    }
    return Arrays.asList(cores);
  }

  /** Returns the time of all CPUs by mode; null if it is not known. */
  CpuSeconds seconds() {
    if (now == null) {
      return null;
    }
    return new CpuSeconds(
        seconds(0),
        seconds(1),
        seconds(2),
        seconds(IDLE),
        seconds(IO_WAIT),
        seconds(5),
        seconds(6),
        seconds(7));
  }

  private double seconds(int mode) {
    return modes[mode] / TICKS_PER_SECOND;
  }
}
