package io.remuda.agent.keeper.proc;

/**
 * Sends signals to exactly the process that was examined: it pins the process by a pidfd, compares
 * the start ticks, and only then signals. Never signals pid 1 or below, nor this process.
 */
public final class Signaller {
  private static final int SELF = Posix.getpid();

  private Signaller() {}

  /** Returns false if exactly this process is gone or may not be signalled. */
  public static boolean send(ProcStat target, int signal) {
    if (target.pid() <= 1 || target.pid() == SELF) {
      return false;
    }
    int pidfd = Posix.pidfd_open(target.pid());
    if (pidfd < 0) {
      return Posix.errno() != Errno.ESRCH && sendWithoutPin(target, signal);
    }
    try {
      return stillThere(target) && Posix.pidfd_send_signal(pidfd, signal) == 0;
    } finally {
      Posix.close(pidfd);
    }
  }

  private static boolean sendWithoutPin(ProcStat target, int signal) {
    return stillThere(target) && Posix.kill(target.pid(), signal) == 0;
  }

  private static boolean stillThere(ProcStat target) {
    ProcStat now = ProcFiles.stat(target.pid());
    return now != null && now.same(target);
  }
}
