package io.remuda.telemetry.host;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * CPU time of the whole machine since boot, in clock ticks.
 *
 * @param busy time spent on work
 * @param total all time, including idle and I/O wait
 */
record CpuTicks(long busy, long total) {
  private static final int USER = 1;
  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;
  private static final int STEAL = 8;

  /** Reads the first line of {@code stat}; returns null when it is missing or malformed. */
  static CpuTicks read(Path proc) {
    String first = KernelFile.text(proc.resolve("stat")).lines().findFirst().orElse("");
    String[] fields = first.split("\\s+");
    if (!fields[0].equals("cpu") || fields.length <= IO_WAIT) {
      return null;
    }
    // the fields after steal are guest time, which user time already includes
    int end = Math.min(fields.length, STEAL + 1);
    long total = Arrays.stream(fields, USER, end).mapToLong(Long::parseLong).sum();
    long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]);
    return new CpuTicks(total - idle, total);
  }

  /** Returns the share of busy time since {@code earlier}, 0-1; null when no time has passed. */
  Double busyShareSince(CpuTicks earlier) {
    long passed = total - earlier.total;
    if (passed <= 0) {
      return null;
    }
    return Math.max(0.0, Math.min(1.0, (double) (busy - earlier.busy) / passed));
  }
}
