package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.thread.DaemonThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Writes exit records in the order in which tasks ended, on a thread of its own: a disk that hangs
 * does not stop other threads from killing tasks. Any thread.
 */
final class ExitRecorder implements Runnable {
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();

  void start() {
    DaemonThread.start("recorder", this);
  }

  /** Queues a write. Never blocks. */
  void add(Runnable writing) {
    work.add(writing);
  }

  @Override
  public void run() {
    try {
      while (true) {
        guarded(work.take());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void guarded(Runnable writing) {
    try {
      writing.run();
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: an exit was not recorded: " + fault);
    }
  }
}
