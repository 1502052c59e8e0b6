package io.remuda.agent.main;

import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Detects that the parent process has ended, or has been stopped for long. The contact deadline
 * would end the agent some seconds later; this watch also covers the time before the coordinator's
 * first message.
 */
final class ParentProcessWatch {

  private static final long PERIOD_MILLIS = 500;

  /** Number of consecutive checks; 7 s, as long as the contact deadline. */
  private static final int MOST_STOPPED = 14;

  private ParentProcessWatch() {}

  /**
   * Starts the watch on its own thread.
   *
   * @param parent pid of the parent, which may be gone already
   * @param gone runs once
   */
  static void start(long parent, Runnable gone) {
    DaemonThread.start("parent-watch", () -> watch(parent, gone));
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

  /** Returns whether a process is stopped, by SIGSTOP or Ctrl-Z. */
  private static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException | IndexOutOfBoundsException gone) {
      return false;
    }
  }

  /**
   * Returns whether the process is this one's parent. An orphan gets another parent, so a reused
   * pid is no problem.
   */
  private static boolean isParent(long pid) {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) == pid;
  }
}
