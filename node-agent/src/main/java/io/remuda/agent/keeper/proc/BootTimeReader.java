package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;

/** Reads CLOCK_BOOTTIME. Any thread. */
final class BootTimeReader {

  private static final int TIMESPEC_BYTES = 16;

  /** Kept, since native memory is expensive to allocate and the time is asked for often. */
  private static final ThreadLocal<Memory> TIMESPEC =
      ThreadLocal.withInitial(() -> new Memory(TIMESPEC_BYTES));

  private BootTimeReader() {}

  /** Returns the time in ms. */
  static long millis() {
    Memory time = TIMESPEC.get();
    if (Posix.clock_gettime(Posix.CLOCK_BOOTTIME, time) != 0) {
      throw new IllegalStateException("CLOCK_BOOTTIME: " + Errno.text(Posix.errno()));
    }
    return time.getLong(0) * 1000 + time.getLong(8) / 1_000_000;
  }
}
