package io.remuda.worker.workload.mnist.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A lock under which one thread of one process at a time fills a cache. Between processes it is a
 * file lock, which is released even if its process crashes. Between threads it is a lock in memory,
 * because file locks belong to the whole JVM.
 */
final class CacheLock {

  private static final ReentrantLock THREADS = new ReentrantLock();

  private final FileChannel channel;

  private CacheLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits for the lock.
   *
   * @param says receives one line if another process holds the lock
   * @throws DataException when the cache folder cannot be created or written
   */
  static CacheLock take(Path cacheDir, Consumer<String> says) throws DataException {
    THREADS.lock();
    FileChannel channel = null;
    try {
      Files.createDirectories(cacheDir);
      channel =
          FileChannel.open(
              cacheDir.resolve("mnist.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        says.accept("waiting for another process that is fetching MNIST");
        channel.lock();
      }
      return new CacheLock(channel);
    } catch (IOException e) {
      giveUp(channel);
      throw unwritable(cacheDir, e);
    } catch (RuntimeException | Error e) {
      giveUp(channel);
      throw e;
    }
  }

  static DataException unwritable(Path cacheDir, IOException cause) {
    return new DataException(
        cacheDir
            + " cannot be written ("
            + cause
            + "); choose another cache folder, or name a folder with the MNIST files by --data-dir"
            + " or MNIST_DIR",
        cause);
  }

  void close() {
    giveUp(channel);
  }

  /** Releases both locks; closing the channel releases the file lock. */
  private static void giveUp(FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      THREADS.unlock();
    }
  }
}
