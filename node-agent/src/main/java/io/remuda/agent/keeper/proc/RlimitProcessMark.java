package io.remuda.agent.keeper.proc;

import com.sun.jna.Memory;

/**
 * Marks processes by a resource limit that has no effect: RLIMIT_LOCKS, which the kernel has
 * ignored since Linux 2.4. Every fork and exec inherits a limit, so the mark survives a cleared
 * environment, a session of its own, a double fork, closed descriptors, sudo and su, and {@code
 * /proc/PID/limits} shows it for every process, to every user, from the first moment.
 *
 * <p>A keeper has a number of nine digits. Its tasks have the soft limit {@code
 * 4KKKKKKKKKSSSSSSSSS} with the serial number of the task; the keeper and its helpers have {@code
 * 3KKKKKKKKK000000000}; all have the hard limit {@code 5KKKKKKKKK000000000}, unless an outer keeper
 * has set one before. An unprivileged process can only lower the hard limit.
 */
public final class RlimitProcessMark {
  /** Numbers of keepers and serial numbers of tasks are above 0 and below this. */
  public static final long NUMBERS = 1_000_000_000L;

  private static final long SERVICE = 3 * NUMBERS * NUMBERS;
  private static final long TASK = 4 * NUMBERS * NUMBERS;
  private static final long HARD = 5 * NUMBERS * NUMBERS;
  private static final int RLIMIT_LOCKS = 10;
  private static final int RLIMIT_BYTES = 16;
  private static final int HARD_AT = 8;

  private final long keeper;
  private final Memory limit = new Memory(RLIMIT_BYTES);

  private RlimitProcessMark(long keeper) {
    this.keeper = keeper;
  }

  /**
   * The mark of a process, decoded from its limits.
   *
   * @param keeper number of the keeper that it runs below, or 0
   * @param outermost number of the outermost keeper that it runs below, or 0
   * @param serial of the task that it belongs to, or 0
   */
  public record Mark(long keeper, long outermost, long serial) {
    static final Mark NONE = new Mark(0, 0, 0);

    static Mark of(long soft, long hard) {
      boolean task = isFrom(TASK, soft);
      boolean any = task || isFrom(SERVICE, soft);
      return new Mark(
          any ? soft / NUMBERS % NUMBERS : 0,
          isFrom(HARD, hard) ? hard / NUMBERS % NUMBERS : 0,
          task ? soft % NUMBERS : 0);
    }

    private static boolean isFrom(long kind, long limit) {
      return limit >= kind && limit < kind + NUMBERS * NUMBERS;
    }

    /** Returns whether the keeper started it for a task, at any depth. */
    public boolean isBelow(long number) {
      return number != 0
          && (keeper == number ? serial != 0 : outermost == number); // serial 0: a helper
    }
  }

  /** Marks this process as a keeper, if its limits can be changed. */
  public static RlimitProcessMark ofKeeper(long keeper) {
    RlimitProcessMark own = new RlimitProcessMark(keeper);
    boolean known = Posix.getrlimit(RLIMIT_LOCKS, own.limit) == 0;
    if (known && own.limit.getLong(HARD_AT) == -1) {
      own.limit.setLong(HARD_AT, HARD + keeper * NUMBERS);
    }
    if (!known || !own.next(0)) {
      KeeperLog.line("keeper: RLIMIT_LOCKS cannot be set, so tasks have no permanent mark");
    }
    return own;
  }

  /**
   * Sets the soft limit of this process for children started from now on. One thread at a time.
   *
   * @param serial of a task; 0 for the keeper and its helpers
   * @return whether it could be set
   */
  public boolean next(long serial) {
    limit.setLong(0, (serial == 0 ? SERVICE : TASK) + keeper * NUMBERS + serial);
    return Posix.setrlimit(RLIMIT_LOCKS, limit) == 0;
  }

  /** Returns the mark of a process; {@link Mark#NONE} if it has none or is gone. */
  public static Mark of(int pid) {
    long[] limits = ProcFiles.lockLimits(pid);
    return limits == null ? Mark.NONE : Mark.of(limits[0], limits[1]);
  }

  /** Returns a basic regular expression for {@code /proc/PID/limits} of a keeper's tasks. */
  public static String pattern(long keeper) {
    return "^Max file locks  *" + (TASK / NUMBERS + keeper) + "[0-9]\\{9\\} ";
  }
}
