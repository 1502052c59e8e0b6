package io.remuda.agent.main;

/**
 * Notices the end of the process that started this one. The lease would end a launched agent some
 * seconds later; this also covers the time before the first word from the coordinator.
 */
final class ParentWatch {

  private static final long PERIOD_MILLIS = 500;

  private ParentWatch() {}

  /**
   * Watches on a thread of its own.
   *
   * @param parent process id of the starter, which may be gone already
   * @param gone runs once
   */
  static void start(long parent, Runnable gone) {
    Thread watch = new Thread(() -> watch(parent, gone), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static void watch(long parent, Runnable gone) {
    try {
      while (isParent(parent)) {
        Thread.sleep(PERIOD_MILLIS);
      }
      gone.run();
    } catch (InterruptedException nobodyInterruptsThis) {
      Thread.currentThread().interrupt();
    }
  }

  /** An orphan has another parent, so an id that is used again does not mislead. */
  private static boolean isParent(long pid) {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) == pid;
  }
}
