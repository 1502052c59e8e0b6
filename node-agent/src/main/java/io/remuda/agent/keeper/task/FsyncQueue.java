package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Syncs exit files to disk on a thread of its own, at most {@value #PER_SECOND} per second: syncing
 * each file of a burst of short tasks halves the rate of starts.
 */
final class FsyncQueue implements Runnable {
  private static final int PER_SECOND = 20;

  /** Files beyond this are left to the kernel, which writes them within about 30 s. */
  private static final int QUEUE_LIMIT = 256;

  private final BlockingQueue<Path> taskFolders = new ArrayBlockingQueue<>(QUEUE_LIMIT);

  void start() {
    DaemonThread.start("syncer", this);
  }

  /** Queues the exit file of a task folder, unless the queue is full. Any thread; never blocks. */
  void add(Path taskFolder) {
    taskFolders.offer(taskFolder);
  }

  @Override
  public void run() {
    try {
      while (true) {
        sync(taskFolders.take());
        Thread.sleep(1000 / PER_SECOND);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sync(Path taskFolder) {
    try {
      ExitFile.sync(taskFolder);
    } catch (IOException removedMeanwhile) {
      return; // a removed folder needs no exit file
    }
  }
}
