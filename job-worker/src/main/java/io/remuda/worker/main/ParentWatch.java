package io.remuda.worker.main;

import java.util.Optional;

/**
 * Ends this worker when the keeper that started it is gone: nobody could reap it, end it or learn
 * its exit code any more.
 */
final class ParentWatch {

  /** Exit status of a worker whose keeper is gone. */
  static final int KEEPER_GONE = 70;

  private static final long PERIOD_MILLIS = 500;

  private ParentWatch() {}

  static void start() {
    Optional<Long> keeper = parent();
    Thread watch = new Thread(() -> watch(keeper), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static void watch(Optional<Long> keeper) {
    try {
      while (parent().equals(keeper)) {
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
