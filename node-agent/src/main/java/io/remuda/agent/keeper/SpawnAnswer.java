package io.remuda.agent.keeper;

/** What became of a request to start a task. */
public sealed interface SpawnAnswer {

  /**
   * It runs, or has just ended.
   *
   * @param startTicks of its first process, as field 22 of /proc/PID/stat
   */
  record Started(long pid, long startTicks) implements SpawnAnswer {}

  /** The key was spawned before; nothing was started now. */
  record Known(TaskView task) implements SpawnAnswer {}

  /** Nothing was started; the message is a line for people. */
  record Refused(RefusalCode code, String message) implements SpawnAnswer {}
}
