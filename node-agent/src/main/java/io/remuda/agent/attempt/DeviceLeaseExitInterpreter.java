package io.remuda.agent.attempt;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.telemetry.render.PrintableText;

/** Converts the exit of a leasing program to the end of its lease. */
public final class DeviceLeaseExitInterpreter {

  private static final int MOST_CAUSE = 300;
  private static final String GONE = "its process ended and had not given the lease back";

  private DeviceLeaseExitInterpreter() {}

  /**
   * @param endCause why this agent ended it, or null if it did not
   */
  static TaskEnd of(ExitRecord exit, String endCause, TaskFolder folder) {
    if (endCause == null && folder.overUse().isPresent()) {
      return end(TaskEnd.Kind.BY_ITSELF, null, folder.overUse().get(), exit, null);
    }
    if (endCause != null || exit.killed()) {
      return end(TaskEnd.Kind.ON_REQUEST, null, endCause == null ? "ended" : endCause, exit, null);
    }
    return DeviceLeaseRecord.givenBack(folder.path())
        .map(how -> givenBack(how, exit))
        .orElseGet(() -> end(TaskEnd.Kind.BY_ITSELF, null, GONE, exit, null));
  }

  /** Returns the end of a lease if its process ended while no keeper watched it. */
  public static TaskEnd gone(TaskFolder folder) {
    return DeviceLeaseRecord.givenBack(folder.path())
        .map(how -> givenBack(how, null))
        .orElseGet(() -> TaskEnd.because(TaskEnd.Kind.BY_ITSELF, GONE));
  }

  private static TaskEnd givenBack(DeviceLeaseRecord.GivenBack how, ExitRecord exit) {
    if (how.succeeded()) {
      return end(TaskEnd.Kind.BY_ITSELF, 0, "given back", exit, null);
    }
    String error = how.error() == null ? "" : how.error();
    boolean wantsMore = how.again() && OutOfMemoryPhrases.of(error);
    TaskEnd.Shortage outOf = wantsMore ? TaskEnd.Shortage.GPU : null;
    return end(TaskEnd.Kind.BY_ITSELF, 1, lastLine(error), exit, outOf);
  }

  private static TaskEnd end(
      TaskEnd.Kind kind, Integer code, String cause, ExitRecord exit, TaskEnd.Shortage outOf) {
    Long wall = exit == null ? null : exit.wallMillis();
    return new TaskEnd(kind, code, null, cause, null, null, wall, null, outOf);
  }

  private static String lastLine(String error) {
    String last =
        error
            .lines()
            .filter(line -> !line.isBlank())
            .reduce((first, second) -> second)
            .orElse("its function failed");
    return last.length() <= MOST_CAUSE ? last : PrintableText.beginning(last, MOST_CAUSE) + "…";
  }
}
