package io.remuda.coordinator.registry.policy;

/**
 * The limits of all live jobs together.
 *
 * @param tasks maximum number of tasks of all users' jobs
 * @param tasksOfUser maximum number of tasks of one user's jobs
 * @param bytes maximum memory of all users' jobs, by {@link ServerMemoryEstimate}
 * @param bytesOfUser maximum memory of one user's jobs
 */
public record LiveJobLimits(long tasks, long tasksOfUser, long bytes, long bytesOfUser) {

  /** No limits, for a coordinator of one run. */
  public static final LiveJobLimits NONE =
      new LiveJobLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  public LiveJobLimits {
    atLeastOne("tasks", tasks);
    atLeastOne("tasks-per-user", tasksOfUser);
    atLeastOne("memory", bytes);
    atLeastOne("memory-per-user", bytesOfUser);
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("limits." + name + " must be above 0, got " + value);
    }
  }

  /**
   * Creates limits with memory given as fractions of the heap.
   *
   * @param heap bytes
   * @param part fraction for all users, above 0 to 1
   * @param partOfUser fraction for one user, above 0 to 1
   */
  public static LiveJobLimits of(
      long tasks, long tasksOfUser, long heap, double part, double partOfUser) {
    return new LiveJobLimits(
        tasks,
        tasksOfUser,
        bytes("memory", heap, part),
        bytes("memory-per-user", heap, partOfUser));
  }

  private static long bytes(String name, long heap, double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException("limits." + name + " must be above 0 to 1, got " + part);
    }
    return (long) (heap * part);
  }
}
