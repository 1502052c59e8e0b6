package io.remuda.agent.keeper.proc;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;

/**
 * Checks whether a short task has left any process, by reading only the pids given out since it
 * began. A walk over all processes takes longer than a short task.
 *
 * <p>All that a task started has a newer pid than the leader. Once the leader is reaped, its
 * children are children of this process, the subreaper, and their descendants are below those. So
 * nothing is left if none of those pids is a child of this process, except leaders of other tasks.
 */
public final class EndedTaskProcessCheck {
  /** With more pids than this a walk is as quick. */
  private static final int MOST = 64;

  /** More than any machine forks: within this rate the counter of pids has not wrapped around. */
  private static final int FORKS_PER_MILLI = 200;

  private final int root;
  private final long longestMillis;
  private final IntSupplier lastPid;
  private final IntFunction<ProcStat> stats;

  public EndedTaskProcessCheck(int root) {
    this(root, ProcFiles.pidMax(), new LastPidReader(), ProcFiles::stat);
  }

  /**
   * @param pidMax pids are below it
   * @param lastPid returns the newest pid, or a negative number if it is not known
   */
  EndedTaskProcessCheck(int root, int pidMax, IntSupplier lastPid, IntFunction<ProcStat> stats) {
    this.root = root;
    this.longestMillis = pidMax / FORKS_PER_MILLI;
    this.lastPid = lastPid;
    this.stats = stats;
  }

  /** Returns whether a task of this age can be checked here. */
  public boolean serves(long ageMillis) {
    return ageMillis >= 0 && ageMillis <= longestMillis;
  }

  /**
   * Returns whether certainly nothing is left of tasks whose leaders were reaped.
   *
   * @param first pid of the leader that began first; all began recently
   * @param leads whether a pid is the leader of another task, whose spawn may be under way
   */
  public boolean nothingSince(int first, IntPredicate leads) {
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
      last = lastPid.getAsInt(); // one that died meanwhile may have left a child
    }
    return seen == last;
  }

  private boolean isChild(int pid) {
    ProcStat stat = stats.apply(pid);
    return stat != null && !stat.dead() && stat.parent() == root;
  }
}
