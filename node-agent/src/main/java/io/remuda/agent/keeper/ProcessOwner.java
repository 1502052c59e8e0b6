package io.remuda.agent.keeper;

import java.util.Optional;

/** Tells which task a process belongs to, by the mark that it has inherited. */
public final class ProcessOwner {

  private ProcessOwner() {}

  /**
   * The key of the task that a process belongs to. Nothing if it belongs to none, has cleared its
   * environment, is gone, or is somebody else's.
   */
  public static Optional<String> keyOf(long pid) {
    if (pid < 1 || pid > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    byte[] environment = ProcFiles.environment((int) pid);
    return environment == null
        ? Optional.empty()
        : Optional.ofNullable(ProcFiles.variable(environment, TaskMark.KEY));
  }
}
