package io.remuda.telemetry.host;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * CPU time of the whole machine since boot, in clock ticks.
 *
 * @param busy time spent on work
 * @param total all time, idle and waiting included
 */
record CpuTicks(long busy, long total) {
  private static final int USER = 1;
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int STEAL = 8;

  /** Reads the first line of stat; null when there is none. */
  static CpuTicks read(Path proc) {
    String first = KernelFile.text(proc.resolve("stat")).lines().findFirst().orElse("");
    String[] fields = first.split("\\s+");
    if (!fields[0].equals("cpu") || fields.length <= IO_WAIT) {
      return null;
    }
    // guest time, after steal, is part of user time already
    int end = Math.min(fields.length, STEAL + 1);
    long total = Arrays.stream(fields, USER, end).mapToLong(Long::parseLong).sum();
    long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]);
    return new CpuTicks(total - idle, total);
  }

  /** Share of the time since then that went into work, 0-1; null when no time has passed. */
  Double busyShareSince(CpuTicks earlier) {
    long passed = total - earlier.total;
    if (passed <= 0) {
      return null;
    }
    return Math.max(0.0, Math.min(1.0, (double) (busy - earlier.busy) / passed));
  }
}
