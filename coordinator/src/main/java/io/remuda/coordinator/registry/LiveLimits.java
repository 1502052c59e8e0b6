package io.remuda.coordinator.registry;

/**
 * How much the jobs that are not over may take together.
 *
 * @param tasks of all users' jobs
 * @param tasksOfUser of one user's jobs
 * @param bytes of memory of all users' jobs, by {@link MemoryEstimate}
 * @param bytesOfUser of one user's jobs
 */
public record LiveLimits(long tasks, long tasksOfUser, long bytes, long bytesOfUser) {

  /** For what lives no longer than one run. */
  public static final LiveLimits NONE =
      new LiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  public LiveLimits {
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
   * Limits where memory is stated as parts of a heap.
   *
   * @param heap bytes
   * @param part of it for all users, above 0 and not above 1
   * @param partOfUser of it for one user, likewise
   */
  public static LiveLimits of(
      long tasks, long tasksOfUser, long heap, double part, double partOfUser) {
    return new LiveLimits(
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
