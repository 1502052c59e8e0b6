package io.remuda.agent.training;

import io.remuda.agent.protocol.TaskStartOrder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The folder in which a training saves its snapshots. */
final class SnapshotsFolder {

  private SnapshotsFolder() {}

  /**
   * Creates it if it is missing. A training that has done no epoch makes its own folder in it, as
   * if it had never run, so an empty one of an earlier attempt is removed.
   */
  static void prepare(TaskStartOrder.Training training, UUID id) throws IOException {
    String path = training.terms().snapshots();
    if (path == null) {
      return;
    }
    Path folder = Files.createDirectories(Path.of(path));
    if (training.epochsDone() == 0) {
      File own = folder.resolve(id.toString()).toFile();
      own.delete(); // fails if it is missing or has files, which then stay
    }
  }
}
