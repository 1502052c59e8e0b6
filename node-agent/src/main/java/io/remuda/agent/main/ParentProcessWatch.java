package io.remuda.agent.main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Notices the end of the process that started this one, and that it has been stopped for long. The
 * lease would end a launched agent some seconds later; this also covers the time before the first
 * word from the coordinator.
 */
final class ParentProcessWatch {

  private static final long PERIOD_MILLIS = 500;

  /** Looks in a row, 7 s, as long as a lease. */
  private static final int MOST_STOPPED = 14;

  private ParentProcessWatch() {}

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
      int stopped = 0;
      while (isParent(parent) && stopped < MOST_STOPPED) {
        Thread.sleep(PERIOD_MILLIS);
        stopped = isStopped(parent) ? stopped + 1 : 0;
      }
      gone.run();
    } catch (InterruptedException nobodyInterruptsThis) {
      Thread.currentThread().interrupt();
    }
  }

  /** By SIGSTOP or a terminal's Ctrl-Z. */
  private static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException | IndexOutOfBoundsException gone) {
      return false;
    }
  }

  /** An orphan has another parent, so an id that is used again does not mislead. */
  private static boolean isParent(long pid) {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) == pid;
  }
}
