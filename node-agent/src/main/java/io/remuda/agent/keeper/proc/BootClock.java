package io.remuda.agent.keeper.proc;

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
    return BootTimeReader::millis;
  }
}
