package io.remuda.agent.keeper;

import com.sun.jna.Memory;

/**
 * Milliseconds since the machine was started, suspension included; equal for all its processes.
 * Leases are measured on it, so that neither a changed date nor a sleeping laptop prolongs one.
 */
@FunctionalInterface
public interface BootClock {
  /** Never decreases; any thread. */
  long millis();

  /** CLOCK_BOOTTIME of this machine. */
  static BootClock system() {
    return BootClock::bootTime;
  }

  private static long bootTime() {
    try (Memory time = new Memory(16)) {
      if (Posix.clock_gettime(Posix.CLOCK_BOOTTIME, time) != 0) {
        throw new IllegalStateException("CLOCK_BOOTTIME: " + Errno.text(Posix.errno()));
      }
      return time.getLong(0) * 1000 + time.getLong(8) / 1_000_000;
    }
  }
}
