package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.TrainingTerms;
import java.nio.file.Path;

/** The fields of a {@link JobRequest} that make a job a training. */
final class TrainingFields {

  private final JobRequest request;

  TrainingFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for a job that is no training.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  TrainingTerms terms() {
    if (request.epochs() == null) {
      checkNothingStated();
      return null;
    }
    if (request.count() != null && request.count() != 1) {
      throw new IllegalArgumentException(
          "epochs want a job of one task, got count "
              + request.count()
              + ": each training is a job of its own");
    }
    return new TrainingTerms(
        request.epochs(),
        folder("snapshots", request.snapshots()),
        folder("custom", request.custom()),
        folder("data", request.data()),
        request.batchSize(),
        request.trainingSetSize(),
        maxGpus(),
        request.estHours());
  }

  private void checkNothingStated() {
    boolean stated =
        request.snapshots() != null
            || request.custom() != null
            || request.data() != null
            || request.batchSize() != null
            || request.trainingSetSize() != null
            || request.maxGpus() != null
            || request.estHours() != null;
    if (stated) {
      throw new IllegalArgumentException(
          "snapshots, custom, data, batchSize, trainingSetSize, maxGpus and estHours want epochs");
    }
  }

  private int maxGpus() {
    Integer most = request.maxGpus();
    if (most == null) {
      return 0;
    }
    if (most < 1) {
      throw new IllegalArgumentException("maxGpus must be 1 or more, got " + most);
    }
    if (request.gpus() != null && (request.gpus() < 1 || request.gpus() > most)) {
      throw new IllegalArgumentException(
          "gpus must be 1 to maxGpus " + most + ", got " + request.gpus());
    }
    return most;
  }

  private static String folder(String name, String path) {
    if (path == null) {
      return null;
    }
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          name + " must be an absolute path, got " + ShortenedValues.quoted(path));
    }
    return Path.of(path).normalize().toString();
  }
}
