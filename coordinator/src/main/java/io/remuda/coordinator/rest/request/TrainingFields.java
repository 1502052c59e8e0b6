package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.TrainingTerms;
import java.nio.file.Path;

/** The fields of a {@link JobRequest} that make a job a training. */
final class TrainingFields {

  private final FieldValues request;

  TrainingFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for a job that is no training.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  TrainingTerms terms() {
    if (!request.has(TrainingRows.EPOCHS)) {
      JobRequest.refuseWithout(TrainingRows.EPOCHS, "epochs", request);
      return null;
    }
    if (request.has(WorkRows.COUNT) && request.get(WorkRows.COUNT) != 1) {
      throw new IllegalArgumentException(
          "epochs want a job of one task, got count "
              + request.get(WorkRows.COUNT)
              + ": each training is a job of its own");
    }
    return new TrainingTerms(
        request.get(TrainingRows.EPOCHS),
        folder("snapshots", request.get(TrainingRows.SNAPSHOTS)),
        folder("custom", request.get(TrainingRows.CUSTOM)),
        folder("data", request.get(TrainingRows.DATA)),
        request.get(TrainingRows.BATCH_SIZE),
        request.get(TrainingRows.TRAINING_SET_SIZE),
        maxGpus(),
        request.get(TrainingRows.EST_HOURS));
  }

  private int maxGpus() {
    Integer most = request.get(TrainingRows.MAX_GPUS);
    if (most == null) {
      return 0;
    }
    if (most < 1) {
      throw new IllegalArgumentException("maxGpus must be 1 or more, got " + most);
    }
    if (request.has(NeedsRows.GPUS)
        && (request.get(NeedsRows.GPUS) < 1 || request.get(NeedsRows.GPUS) > most)) {
      throw new IllegalArgumentException(
          "gpus must be 1 to maxGpus " + most + ", got " + request.get(NeedsRows.GPUS));
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
