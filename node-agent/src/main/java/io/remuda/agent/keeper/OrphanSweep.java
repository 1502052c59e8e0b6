package io.remuda.agent.keeper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Kills what the tasks of a killed keeper have left: processes that carry a task's mark while the
 * keeper that started them is gone, with all of their sessions and all below them.
 *
 * <p>Reads the whole of /proc, so it is for the rare moment after the loss of a keeper. Leaves the
 * tasks of living keepers alone.
 */
public final class OrphanSweep {
  private static final int ROUND_LIMIT = 50;
  private static final long ROUND_MILLIS = 20;

  private OrphanSweep() {}

  /**
   * Sends SIGKILL until nothing is left, for at most a second or so. Blocks.
   *
   * @param runMark how the keys of the tasks begin, as "12/"; not empty
   * @return how many processes were killed
   */
  public static int kill(String runMark) {
    if (runMark.isEmpty()) {
      throw new IllegalArgumentException("runMark: empty would mean all");
    }
    Set<String> killed = new HashSet<>();
    for (int round = 0; round < ROUND_LIMIT; round++) {
      List<ProcStat> orphans = find(runMark);
      if (orphans.isEmpty()) {
        break;
      }
      for (ProcStat orphan : orphans) {
        if (Signaller.send(orphan, Posix.SIGKILL)) {
          killed.add(orphan.pid() + "." + orphan.startTicks());
        }
      }
      pause();
    }
    return killed.size();
  }

  /** The living processes that {@link #kill} would end. */
  static List<ProcStat> find(String runMark) {
    List<ProcStat> all = ProcFiles.all();
    Set<Integer> pids = new HashSet<>();
    Set<Integer> sessions = new HashSet<>();
    for (ProcStat process : all) {
      if (!process.dead() && isOrphan(process.pid(), runMark)) {
        pids.add(process.pid());
        if (process.session() == process.pid()) {
          sessions.add(process.session());
        }
      }
    }
    addAllBelow(all, pids, sessions);
    List<ProcStat> orphans = new ArrayList<>();
    for (ProcStat process : all) {
      if (pids.contains(process.pid()) && !process.dead()) {
        orphans.add(process);
      }
    }
    return orphans;
  }

  private static void addAllBelow(List<ProcStat> all, Set<Integer> pids, Set<Integer> sessions) {
    boolean grew = !pids.isEmpty();
    while (grew) {
      grew = false;
      for (ProcStat process : all) {
        if (pids.contains(process.parent()) || sessions.contains(process.session())) {
          grew |= pids.add(process.pid());
        }
      }
    }
  }

  private static boolean isOrphan(int pid, String runMark) {
    byte[] environment = ProcFiles.environment(pid);
    if (environment == null) {
      return false;
    }
    String key = ProcFiles.variable(environment, TaskMark.KEY);
    String keeper = ProcFiles.variable(environment, TaskMark.KEEPER);
    return key != null && key.startsWith(runMark) && keeper != null && isGone(keeper);
  }

  /** A killed keeper that is still a zombie of its starter is gone, too. */
  private static boolean isGone(String keeper) {
    int dot = keeper.indexOf('.');
    try {
      ProcStat now = ProcFiles.stat(Integer.parseInt(keeper.substring(0, Math.max(dot, 0))));
      long ticks = Long.parseLong(keeper.substring(dot + 1));
      return now == null || now.dead() || now.startTicks() != ticks;
    } catch (NumberFormatException notOurs) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(ROUND_MILLIS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
