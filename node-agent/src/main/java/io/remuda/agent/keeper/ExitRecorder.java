package io.remuda.agent.keeper;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Writes down how tasks ended, in the order of their ends, on a thread of its own: while the disk
 * stands still the others go on, and kill what is to be killed. Any thread.
 */
final class ExitRecorder implements Runnable {
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();

  void start() {
    Thread thread = new Thread(this, "recorder");
    thread.setDaemon(true);
    thread.start();
  }

  /** Never waits. */
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
      KeeperLog.line("keeper: an end was not written down: " + fault);
    }
  }
}
