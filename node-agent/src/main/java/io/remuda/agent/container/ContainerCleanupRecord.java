package io.remuda.agent.container;

import io.remuda.agent.attempt.SmallJsonFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The container of an attempt, in the attempt's folder, for what has to be done after its end.
 *
 * @param engine name of the engine
 * @param program path of its program
 * @param name of the container
 * @param memoryBytes the most that it may hold; 0 for no limit
 */
record ContainerCleanupRecord(String engine, String program, String name, long memoryBytes) {

  private static final String FILE = "container";

  static boolean isIn(Path folder) {
    return folder.resolve(FILE).toFile().exists();
  }

  void write(Path folder) throws IOException {
    SmallJsonFiles.write(folder, FILE, this);
  }

  static Optional<ContainerCleanupRecord> read(Path folder) {
    return SmallJsonFiles.read(folder, FILE, ContainerCleanupRecord.class);
  }
}
