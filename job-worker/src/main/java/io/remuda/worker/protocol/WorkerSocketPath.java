package io.remuda.worker.protocol;

import java.nio.file.Path;

/** The socket on which a worker listens for its agent. */
public final class WorkerSocketPath {

  private static final String FILE = "worker.sock";

  private WorkerSocketPath() {}

  /** Returns the path of the Unix socket in a task's folder. */
  public static Path in(Path taskFolder) {
    return taskFolder.resolve(FILE);
  }
}
