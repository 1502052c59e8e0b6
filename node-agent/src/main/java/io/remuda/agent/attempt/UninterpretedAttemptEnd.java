package io.remuda.agent.attempt;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.protocol.TaskEnd;

/**
 * An attempt that is over; how it ended is to be read from its folder.
 *
 * @param exit exit of its process; null for a program that gave no exit since no keeper watched it
 * @param endCause why this agent ended it, or null if it did not
 */
public record UninterpretedAttemptEnd(ExitRecord exit, String endCause) {

  /** Returns the end of a lease if its process ended while no keeper watched it. */
  public static UninterpretedAttemptEnd ofGoneProgram() {
    return new UninterpretedAttemptEnd(null, null);
  }

  /** Reads the end; blocks while the disk hangs. */
  public TaskEnd read(TaskFolder folder) {
    return exit == null
        ? DeviceLeaseExitInterpreter.gone(folder)
        : ExitInterpreter.of(exit, endCause, folder);
  }

  /** As {@link #read}; what cannot be read is an end that says why. */
  public TaskEnd readOrSaid(TaskFolder folder) {
    try {
      return read(folder);
    } catch (RuntimeException | Error fault) {
      return TaskEnd.because(TaskEnd.Kind.KEEPER_GONE, "its end could not be read: " + fault);
    }
  }
}
