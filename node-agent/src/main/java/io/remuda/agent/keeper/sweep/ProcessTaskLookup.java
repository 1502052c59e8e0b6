package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.TaskMark;
import java.util.Optional;

/** Finds the task that a process belongs to, by the mark that it has inherited. */
public final class ProcessTaskLookup {

  private ProcessTaskLookup() {}

  /** Returns the service user whose task a process is; empty if it is none or cannot be read. */
  public static Optional<String> userOf(long pid) {
    byte[] environment =
        pid < 1 || pid > Integer.MAX_VALUE ? null : ProcFiles.environment((int) pid);
    return environment == null || ProcFiles.variable(environment, TaskMark.KEY) == null
        ? Optional.empty()
        : Optional.ofNullable(ProcFiles.variable(environment, "REMUDA_USER"));
  }

  /** The environment that a process was started with. */
  @FunctionalInterface
  public interface Variables {
    /** Returns the value of a variable, or {@code missing}. */
    String get(String name, String missing);
  }

  /** Returns its environment; empty if it is gone, has none of our marks, or is another user's. */
  public static Optional<Variables> variables(long pid) {
    byte[] environment =
        pid < 1 || pid > Integer.MAX_VALUE ? null : ProcFiles.environment((int) pid);
    if (environment == null || ProcFiles.variable(environment, TaskMark.KEY) == null) {
      return Optional.empty();
    }
    return Optional.of(
        (name, missing) -> {
          String value = ProcFiles.variable(environment, name);
          return value == null ? missing : value;
        });
  }

  /** A lookup by pid and start ticks. */
  @FunctionalInterface
  public interface ProcessLookup<T> {
    Optional<T> of(long pid, long startTicks);
  }

  /** Returns the result for a process, or for its nearest ancestor that has one. */
  public static <T> Optional<T> nearest(long pid, ProcessLookup<T> known) {
    if (pid < 1 || pid > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    for (ProcStat process : ProcFiles.lineage((int) pid)) {
      Optional<T> found = known.of(process.pid(), process.startTicks());
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the key of the task that a process belongs to. Empty if it belongs to none, has cleared
   * its environment, is gone, or is another user's.
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
