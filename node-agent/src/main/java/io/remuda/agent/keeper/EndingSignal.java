package io.remuda.agent.keeper;

import java.util.Objects;

/**
 * A signal that asks a task to end.
 *
 * @param number 1 to {@value #MOST}
 * @param reach which of its processes get it
 */
public record EndingSignal(int number, ReachedProcesses reach) {

  /** The highest number of a signal that a process may handle. */
  public static final int MOST = 31;

  private static final int SIGTERM = 15;

  public EndingSignal {
    Objects.requireNonNull(reach, "reach");
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException("signal must be 1 to " + MOST + ": " + number);
    }
  }

  /**
   * Returns a job's own signal.
   *
   * @param reach name of a {@link ReachedProcesses}
   */
  public static EndingSignal of(int number, String reach) {
    return new EndingSignal(number, ReachedProcesses.valueOf(reach));
  }

  /** Returns SIGTERM for these processes. */
  public static EndingSignal term(ReachedProcesses reach) {
    return new EndingSignal(SIGTERM, reach);
  }

  /** Returns whether it is SIGTERM, rather than a signal that a job has chosen. */
  public boolean isTerm() {
    return number == SIGTERM;
  }
}
