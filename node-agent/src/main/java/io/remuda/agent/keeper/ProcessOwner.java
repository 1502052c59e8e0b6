package io.remuda.agent.keeper;

import java.util.Optional;

/** Tells which task a process belongs to, by the mark that it has inherited. */
public final class ProcessOwner {

  private static final int DEEPEST = 200;

  private ProcessOwner() {}

  /** The user of the service whose task a process is; nothing if it is none or cannot be read. */
  public static Optional<String> userOf(long pid) {
    byte[] environment =
        pid < 1 || pid > Integer.MAX_VALUE ? null : ProcFiles.environment((int) pid);
    return environment == null || ProcFiles.variable(environment, TaskMark.KEY) == null
        ? Optional.empty()
        : Optional.ofNullable(ProcFiles.variable(environment, "REMUDA_USER"));
  }

  /**
   * How many generations a process is below another one: 0 for itself, -1 if it does not descend
   * from it.
   *
   * @param startTicks of the other one, which tell it from a later one of its number
   */
  public static int distance(long pid, long ancestor, long startTicks) {
    long next = pid;
    for (int steps = 0; steps < DEEPEST && next > 1 && next <= Integer.MAX_VALUE; steps++) {
      ProcStat process = ProcFiles.stat((int) next);
      if (process == null) {
        return -1;
      }
      if (next == ancestor) {
        return process.startTicks() == startTicks ? steps : -1;
      }
      next = process.parent();
    }
    return -1;
  }

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
