package io.remuda.agent.keeper;

/**
 * What the processes of one task are known by.
 *
 * @param key the value of {@link #KEY} in their environment
 * @param leader pid of the first process and number of its session
 * @param startTicks of the first process
 */
record TaskMark(String key, int leader, long startTicks) {
  /** Environment variable that names the task in all its processes. */
  static final String KEY = "REMUDA_TASK_KEY";

  /** Environment variable that names the keeper that started them, as PID.STARTTICKS. */
  static final String KEEPER = "REMUDA_KEEPER";

  /**
   * The key that a process carries, or null if it carries none or was started by another keeper.
   */
  static String keyOf(int pid, String keeperMark) {
    byte[] environment = ProcFiles.environment(pid);
    return environment != null && keeperMark.equals(ProcFiles.variable(environment, KEEPER))
        ? ProcFiles.variable(environment, KEY)
        : null;
  }
}
