package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitLog;
import io.remuda.agent.keeper.proc.KeeperLog;
import java.io.IOException;

/**
 * Syncs exit records to disk on a thread of its own, soon after they were written but at most
 * {@value #PER_SECOND} times a second: syncing each one of a burst of short tasks halves the rate
 * of starts.
 */
final class FsyncQueue implements Runnable {
  private static final int PER_SECOND = 4;

  private final ExitLog exits;
  private boolean isDue;

  FsyncQueue(ExitLog exits) {
    this.exits = exits;
  }

  void start() {
    Thread thread = new Thread(this, "syncer");
    thread.setDaemon(true);
    thread.start();
  }

  /** Has what was written synced. Any thread; never blocks. */
  synchronized void add() {
    if (!isDue) {
      isDue = true;
      notifyAll();
    }
  }

  private synchronized void take() throws InterruptedException {
    while (!isDue) {
      wait();
    }
    isDue = false;
  }

  @Override
  public void run() {
    try {
      while (true) {
        take();
        sync();
        Thread.sleep(1000 / PER_SECOND);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void sync() {
    try {
      exits.sync();
    } catch (IOException | RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: exit records cannot be synced: " + fault);
    }
  }
}
