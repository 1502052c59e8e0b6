package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Kills every process that carries a mark in its environment, whatever started it. */
public final class MarkedProcessSweep {
  private static final int ROUND_LIMIT = 50;
  private static final long ROUND_NANOS = 20_000_000;

  private MarkedProcessSweep() {}

  /**
   * Sends SIGKILL until no such process is left, for about a second at most. Spares this process.
   *
   * @param variable name of the environment variable
   * @param value that it must have
   * @return whether none is left
   */
  public static boolean kill(String variable, String value) {
    for (int round = 0; round < ROUND_LIMIT; round++) {
      List<ProcStat> marked = find(variable, value);
      if (marked.isEmpty()) {
        return true;
      }
      marked.forEach(process -> Signaller.send(process, Posix.SIGKILL));
      LockSupport.parkNanos(ROUND_NANOS);
    }
    return false;
  }

  private static List<ProcStat> find(String variable, String value) {
    long self = ProcessHandle.current().pid();
    return ProcFiles.all().stream()
        .filter(process -> !process.dead() && process.pid() != self)
        .filter(process -> carries(process.pid(), variable, value))
        .toList();
  }

  private static boolean carries(int pid, String variable, String value) {
    byte[] environment = ProcFiles.environment(pid);
    return environment != null && value.equals(ProcFiles.variable(environment, variable));
  }
}
