package io.remuda.agent.keeper;

import com.sun.jna.Memory;

/**
 * Marks processes by a resource limit that has no effect: RLIMIT_LOCKS, which the kernel has not
 * looked at since Linux 2.4. A limit is inherited by every fork and exec, so the mark survives a
 * cleared environment, a session of its own, a double fork, closed descriptors, sudo and su, and
 * {@code /proc/PID/limits} shows it of every process, to everybody, from its first moment on.
 *
 * <p>A keeper has a number of nine digits. Its tasks have the soft limit {@code
 * 4KKKKKKKKKSSSSSSSSS} with the serial number of the task, the keeper itself and what serves it
 * have {@code 3KKKKKKKKK000000000}, and all of them the hard limit {@code 5KKKKKKKKK000000000},
 * unless a keeper around this one has set one before. A process without rights can only lower the
 * hard limit.
 */
final class LockLimit {
  /** Numbers of keepers and serial numbers of tasks are below this and above 0. */
  static final long NUMBERS = 1_000_000_000L;

  private static final long SERVICE = 3 * NUMBERS * NUMBERS;
  private static final long TASK = 4 * NUMBERS * NUMBERS;
  private static final long HARD = 5 * NUMBERS * NUMBERS;
  private static final int RLIMIT_LOCKS = 10;
  private static final int RLIMIT_BYTES = 16;
  private static final int HARD_AT = 8;

  private final long keeper;
  private final Memory limit = new Memory(RLIMIT_BYTES);

  private LockLimit(long keeper) {
    this.keeper = keeper;
  }

  /**
   * What a process is by its limits.
   *
   * @param keeper number of the keeper that it is below of, or 0
   * @param outermost number of the outermost such keeper, or 0
   * @param serial of the task that it is of, or 0
   */
  record Mark(long keeper, long outermost, long serial) {
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

    /** Whether the keeper has started it for a task, however deep below. */
    boolean isBelow(long number) {
      return number != 0
          && (keeper == number ? serial != 0 : outermost == number); // else it serves that keeper
    }
  }

  /** Marks this process as a keeper, if its limits may be changed. */
  static LockLimit ofKeeper(long keeper) {
    LockLimit own = new LockLimit(keeper);
    boolean known = Posix.getrlimit(RLIMIT_LOCKS, own.limit) == 0;
    if (known && own.limit.getLong(HARD_AT) == -1) {
      own.limit.setLong(HARD_AT, HARD + keeper * NUMBERS);
    }
    if (!known || !own.next(0)) {
      KeeperLog.line(
          "keeper: RLIMIT_LOCKS cannot be set, so tasks have no mark that cannot be shed");
    }
    return own;
  }

  /**
   * Sets the soft limit of this process, which what it starts next inherits. One thread at a time.
   *
   * @param serial of a task; 0 for what serves the keeper
   * @return whether it could be set
   */
  boolean next(long serial) {
    limit.setLong(0, (serial == 0 ? SERVICE : TASK) + keeper * NUMBERS + serial);
    return Posix.setrlimit(RLIMIT_LOCKS, limit) == 0;
  }

  /** The mark of a process; {@link Mark#NONE} if it has none or is gone. */
  static Mark of(int pid) {
    long[] limits = ProcFiles.lockLimits(pid);
    return limits == null ? Mark.NONE : Mark.of(limits[0], limits[1]);
  }

  /** A basic regular expression for the lines of {@code /proc/PID/limits} of a keeper's tasks. */
  static String pattern(long keeper) {
    return "^Max file locks  *" + (TASK / NUMBERS + keeper) + "[0-9]\\{9\\} ";
  }
}
