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
 * Lets one at a time fill a cache: a file lock among processes, which ends with its process however
 * that ends, and a lock in memory among threads, because file locks belong to a whole JVM.
 */
final class CacheLock {

  private static final ReentrantLock THREADS = new ReentrantLock();

  private final FileChannel channel;

  private CacheLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits until the cache is ours.
   *
   * @param says told once if somebody else has it
   * @throws DataException when the cache folder cannot be made or written
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

  /** Closing the channel releases the file lock. */
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
