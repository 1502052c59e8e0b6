package io.remuda.agent.keeper;

import java.util.Optional;

/** Tells which task a process belongs to, by the mark that it has inherited. */
public final class ProcessOwner {

  private ProcessOwner() {}

  /** The user of the service whose task a process is; nothing if it is none or cannot be read. */
  public static Optional<String> userOf(long pid) {
    byte[] environment =
        pid < 1 || pid > Integer.MAX_VALUE ? null : ProcFiles.environment((int) pid);
    return environment == null || ProcFiles.variable(environment, TaskMark.KEY) == null
        ? Optional.empty()
        : Optional.ofNullable(ProcFiles.variable(environment, "REMUDA_USER"));
  }

  /** The environment in which a process was started. */
  @FunctionalInterface
  public interface Variables {
    /** The value of a variable, or what is given in its place. */
    String get(String name, String missing);
  }

  /** Nothing if the process is gone, has none of our marks, or is somebody else's. */
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

  /** What is said of a process by its number and its start ticks. */
  @FunctionalInterface
  public interface ProcessLookup<T> {
    Optional<T> of(long pid, long startTicks);
  }

  /** What is known of a process, or of the nearest above it of which something is. */
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
