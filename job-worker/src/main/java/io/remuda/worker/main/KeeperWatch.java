package io.remuda.worker.main;

import io.remuda.thread.DaemonThread;
import java.util.Optional;

/**
 * Ends this worker when the keeper that started it is gone, because then no process could reap it,
 * end it or learn its exit code.
 */
final class KeeperWatch {

  /** The exit status of a worker after its keeper is gone. */
  static final int KEEPER_GONE = 70;

  /** The variable that the keeper sets for the processes it starts, as PID.STARTTICKS. */
  private static final String KEEPER = "REMUDA_KEEPER";

  private static final long PERIOD_MILLIS = 500;

  private KeeperWatch() {}

  /**
   * Starts a thread that watches the keeper; does nothing in a worker started by hand, without a
   * keeper.
   */
  static void start() {
    String keeper = System.getenv(KEEPER);
    if (keeper == null) {
      return;
    }
    long pid = Long.parseLong(keeper.substring(0, keeper.indexOf('.')));
    DaemonThread.start("parent-watch", () -> watch(pid));
  }

  private static void watch(long keeper) {
    try {
      while (parent().equals(Optional.of(keeper))) {
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException nobodyInterruptsThis) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(KEEPER_GONE);
  }

  private static Optional<Long> parent() {
    return ProcessHandle.current().parent().map(ProcessHandle::pid);
  }
}
