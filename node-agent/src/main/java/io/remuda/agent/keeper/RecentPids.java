package io.remuda.agent.keeper;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/**
 * Tells of a task that lasted only moments whether anything of it is left, by looking at just the
 * pids that were given out since it began. A walk over all processes takes longer than such a task.
 *
 * <p>Whatever a task started got its pid after the task's leader. When the leader has been reaped,
 * what hung below it hangs below this process, its subreaper, or deeper below such a one. So
 * nothing is left if none of those pids is a child of this process, leaders of other tasks aside.
 */
final class RecentPids {
  /** With more of them the walk is as quick. */
  private static final int MOST = 64;

  /** More than any machine forks; so many that the counter of pids cannot have gone round. */
  private static final int FORKS_PER_MILLI = 200;

  private final int root;
  private final long longestMillis;
  private final IntSupplier lastPid;
  private final IntFunction<ProcStat> stats;

  RecentPids(int root) {
    this(root, ProcFiles.pidMax(), ProcFiles::lastPid, ProcFiles::stat);
  }

  /**
   * Creates one.
   *
   * @param pidMax pids are below it
   * @param lastPid that was given out, or a negative number if that is not known
   */
  RecentPids(int root, int pidMax, IntSupplier lastPid, IntFunction<ProcStat> stats) {
    this.root = root;
    this.longestMillis = pidMax / FORKS_PER_MILLI;
    this.lastPid = lastPid;
    this.stats = stats;
  }

  /** Whether a task that began so long ago can be looked at in this way. */
  boolean serves(long ageMillis) {
    return ageMillis >= 0 && ageMillis <= longestMillis;
  }

  /**
   * Whether surely nothing is left of tasks whose leaders were reaped.
   *
   * @param first pid of the leader that began first; all began recently
   * @param leads whether a pid is the leader of another task; it may be being started right now
   */
  boolean nothingSince(int first, IntPredicate leads) {
    int seen = first;
    int last = lastPid.getAsInt();
    while (seen < last) {
      if (last - first > MOST) {
        return false;
      }
      for (int pid = seen + 1; pid <= last; pid++) {
        if (isChild(pid) && !leads.test(pid) && isChild(pid)) {
          return false;
        }
      }
      seen = last;
      last = lastPid.getAsInt(); // one that has died meanwhile may have left a child
    }
    return seen == last;
  }

  private boolean isChild(int pid) {
    ProcStat stat = stats.apply(pid);
    return stat != null && !stat.dead() && stat.parent() == root;
  }
}
