package io.remuda.agent.keeper.task;

import com.sun.jna.Memory;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.Errno;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ResourceUsage;

/**
 * Reaps every child of this process, tasks and reparented orphans alike, on one thread.
 *
 * <p>It first learns which child has ended, examines it while it is a zombie, and then reaps it.
 */
final class Reaper implements Runnable {
  private static final int SIGINFO_BYTES = 128;
  private static final int SIGINFO_PID = 16;

  private final KeeperTasks table;
  private final BootClock clock;

  Reaper(KeeperTasks table, BootClock clock) {
    this.table = table;
    this.clock = clock;
  }

  @Override
  public void run() {
    try (Memory info = new Memory(SIGINFO_BYTES);
        Memory status = new Memory(8);
        Memory usage = new Memory(ResourceUsage.BYTES)) {
      while (true) {
        guardedRound(info, status, usage);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one round; after a fault, such as no memory, the next round must still follow. */
  private void guardedRound(Memory info, Memory status, Memory usage) throws InterruptedException {
    try {
      long births = table.births();
      info.clear();
      if (Posix.waitid(Posix.P_ALL, 0, info, Posix.WEXITED | Posix.WNOWAIT) == 0) {
        reap(info.getInt(SIGINFO_PID), status, usage);
      } else if (Posix.errno() == Errno.ECHILD) {
        table.awaitBirth(births);
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: reaping a process failed: " + fault);
    }
  }

  private void reap(int pid, Memory status, Memory usage) {
    ProcStat leader = table.unreapedLeader(pid); // nobody else has its pid before it is reaped
    ProcStat stat = leader == null ? ProcFiles.stat(pid) : leader;
    if (Posix.wait4(pid, status, Posix.WNOHANG, usage) != pid) {
      return; // the C library reaped the child of a spawn that failed
    }
    if (stat == null) { // no descriptor was free
      stat = new ProcStat(pid, 'Z', 0, 0, 0);
    }
    ExitStatus how = ExitStatus.ofWaitStatus(status.getInt(0));
    table.reaped(new ReapedProcess(stat, how, ResourceUsage.read(usage), clock.millis()));
  }
}
