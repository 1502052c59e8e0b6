package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Puts exit files on the disk, on a thread of its own and not more than {@value #PER_SECOND} a
 * second: syncing each of a storm of short tasks halves the rate at which new ones start.
 */
final class FsyncQueue implements Runnable {
  private static final int PER_SECOND = 20;

  /** What is beyond is left to the kernel, which writes it within about 30 s. */
  private static final int QUEUE_LIMIT = 256;

  private final BlockingQueue<Path> taskFolders = new ArrayBlockingQueue<>(QUEUE_LIMIT);

  void start() {
    Thread thread = new Thread(this, "syncer");
    thread.setDaemon(true);
    thread.start();
  }

  /** Any thread; never waits. */
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
      return; // whoever removed the folder has read the exit, or does not want it
    }
  }
}
