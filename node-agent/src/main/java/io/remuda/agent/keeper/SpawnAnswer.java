package io.remuda.agent.keeper;

/** The answer to a request to start a task. */
public sealed interface SpawnAnswer {

  /**
   * The task runs, or has just ended.
   *
   * @param startTicks of its first process, as field 22 of /proc/PID/stat
   */
  record Started(long pid, long startTicks) implements SpawnAnswer {}

  /** The key was spawned before; nothing was started now. */
  record Known(TaskView task) implements SpawnAnswer {}

  /** Nothing was started; the message is one line for the user. */
  record Refused(RefusalCode code, String message) implements SpawnAnswer {}
}
