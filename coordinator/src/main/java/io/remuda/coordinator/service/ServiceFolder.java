package io.remuda.coordinator.service;

import io.remuda.agent.settings.LockFile;
import io.remuda.agent.settings.OwnFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The folder of a job service, held by one server at a time. */
public final class ServiceFolder implements AutoCloseable {

  private final Path path;
  private final LockFile lock;

  private ServiceFolder(Path path, LockFile lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes the folder; creates it if it is missing.
   *
   * @throws IOException if another server uses it, or it cannot be created
   */
  public static ServiceFolder take(Path path) throws IOException {
    OwnFolders.create(path);
    Optional<LockFile> lock = LockFile.take(path.resolve("serve.lock"));
    if (lock.isPresent()) {
      return new ServiceFolder(path, lock.get());
    }
    throw new FolderInUse("another server uses " + path + ": use it, or set REMUDA_HOME");
  }

  public Path path() {
    return path;
  }

  /** Returns the folder of a node on this machine, with its tasks and its log. */
  public Path node(String name) {
    return path.resolve("nodes").resolve(name);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
