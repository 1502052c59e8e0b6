package io.remuda.agent.keeper.proc;

import com.sun.jna.Pointer;

/**
 * The resources that ended processes have used.
 *
 * @param peakRssBytes of the largest single one
 */
public record ResourceUsage(long userMillis, long systemMillis, long peakRssBytes) {
  /** Size of struct rusage. */
  public static final int BYTES = 144;

  /** Reads a struct rusage of a 64-bit machine. */
  public static ResourceUsage read(Pointer rusage) {
    return new ResourceUsage(
        millis(rusage, 0), millis(rusage, 16), Math.multiplyExact(rusage.getLong(32), 1024));
  }

  public ResourceUsage plus(ResourceUsage other) {
    return new ResourceUsage(
        userMillis + other.userMillis,
        systemMillis + other.systemMillis,
        Math.max(peakRssBytes, other.peakRssBytes));
  }

  private static long millis(Pointer rusage, long offset) {
    return rusage.getLong(offset) * 1000 + rusage.getLong(offset + 8) / 1000;
  }
}
