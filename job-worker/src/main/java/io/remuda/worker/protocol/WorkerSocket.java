package io.remuda.worker.protocol;

import java.nio.file.Path;

/** Where a worker listens for its agent. */
public final class WorkerSocket {

  private static final String FILE = "worker.sock";

  private WorkerSocket() {}

  /** The Unix socket in a task's folder. */
  public static Path in(Path taskFolder) {
    return taskFolder.resolve(FILE);
  }
}
