package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;

/**
 * Milliseconds since the boot of the machine, including suspension; the same in all its processes.
 * Contact deadlines are measured on it, so that neither a changed date nor a suspended laptop
 * extends one.
 */
@FunctionalInterface
public interface BootClock {
  /** Returns the time in ms. Never decreases. Any thread. */
  long millis();

  /** Returns CLOCK_BOOTTIME of this machine. */
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
