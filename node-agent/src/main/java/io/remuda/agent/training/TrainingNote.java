package io.remuda.agent.training;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.TrainingProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * What is known of a training, as a file in its attempt's folder. It is there before a training is
 * answered, so that an agent that dies forgets nothing.
 *
 * @param id the job's UUID, by which the training speaks
 * @param order what the training was told
 * @param devices number of its GPUs
 * @param graceMillis from SIGTERM to SIGKILL when it is ended
 * @param progress what it has told
 * @param spoke whether this attempt has spoken the protocol
 */
public record TrainingNote(
    UUID id,
    TaskStartOrder.Training order,
    int devices,
    long graceMillis,
    TrainingProgress progress,
    boolean spoke) {

  private static final String NAME = "training.json";

  /** A file of its own, since agents of earlier builds read no note with more than they know. */
  private static final String PREPARED = "training-prepared.json";

  /** Returns the note of an attempt's folder; empty if it is no training. */
  public static Optional<TrainingNote> read(Path folder) {
    return SmallJsonFiles.read(folder, NAME, TrainingNote.class);
  }

  void write(Path folder) throws IOException {
    SmallJsonFiles.write(folder, NAME, this);
  }

  /** Notes when the attempt was prepared, in milliseconds since 1970. */
  static void writePrepared(Path folder, long wallMillis) throws IOException {
    SmallJsonFiles.write(folder, PREPARED, wallMillis);
  }

  /** Returns when the attempt was prepared; 0 if an agent of an earlier build did so. */
  static long preparedAt(Path folder) {
    return SmallJsonFiles.read(folder, PREPARED, Long.class).orElse(0L);
  }

  TrainingNote with(TrainingProgress told) {
    return new TrainingNote(id, order, devices, graceMillis, told, true);
  }
}
