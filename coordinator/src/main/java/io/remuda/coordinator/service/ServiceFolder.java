package io.remuda.coordinator.service;

import io.remuda.agent.settings.OwnFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder of a job service, held by one server at a time. */
public final class ServiceFolder implements AutoCloseable {

  private final Path path;
  private final FileChannel lock;

  private ServiceFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes the folder, which is made if it is not there.
   *
   * @throws IOException if another server has it
   */
  public static ServiceFolder take(Path path) throws IOException {
    OwnFolders.create(path);
    FileChannel channel =
        FileChannel.open(
            path.resolve("serve.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new ServiceFolder(path, channel);
      }
    } catch (OverlappingFileLockException ours) {
      // as good as taken
    }
    channel.close();
    throw new FolderInUse("another server uses " + path + ": use it, or set REMUDA_HOME");
  }

  public Path path() {
    return path;
  }

  /** Where a node of this machine keeps its tasks and its log. */
  public Path node(String name) {
    return path.resolve("nodes").resolve(name);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
