package io.remuda.agent.keeper.proc;

/**
 * The signs of the processes of one task.
 *
 * @param key the value of {@link #KEY} in their environment
 * @param leader pid of the first process and number of its session
 * @param startTicks of the first process
 */
public record TaskMark(String key, int leader, long startTicks) {
  /** The environment variable that names the task in all its processes. */
  public static final String KEY = "REMUDA_TASK_KEY";

  /** The environment variable that names the keeper that started them, as PID.STARTTICKS. */
  public static final String KEEPER = "REMUDA_KEEPER";

  /** Returns the key in a process's environment; null if none or if another keeper started it. */
  public static String keyOf(int pid, String keeperMark) {
    byte[] environment = ProcFiles.environment(pid);
    return environment != null && keeperMark.equals(ProcFiles.variable(environment, KEEPER))
        ? ProcFiles.variable(environment, KEY)
        : null;
  }
}
