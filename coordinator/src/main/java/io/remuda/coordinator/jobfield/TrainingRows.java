package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldDoc.ABOVE_ZERO;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import io.remuda.worker.job.TrainingTerms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What makes a job a training. */
public final class TrainingRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup OF_TRAINING = ROWS.beside(Map.of("epochs", 1));

  public static final JobField<Integer> EPOCHS =
      ROWS.option(
              "--epochs N",
              "a training of N epochs, which may be asked to leave between two of them and goes on"
                  + " later (docs/training.md)")
          .says("Number of epochs of a training, which is preemptible unless preemptible is false.")
          .integer("epochs", 1, TrainingTerms.MOST_EPOCHS, ALWAYS);
  public static final JobField<String> SNAPSHOTS =
      OF_TRAINING
          .option(
              "--snapshots DIR", "folder for a training's snapshots; it is made if it is missing")
          .says("Absolute folder for a training's snapshots.")
          .text("snapshots", PATH, ALWAYS);
  public static final JobField<String> CUSTOM =
      OF_TRAINING
          .option("--custom DIR", "a training's folder of your files")
          .says("Absolute folder with your own files for a training.")
          .text("custom", PATH, ALWAYS);
  public static final JobField<String> DATA =
      OF_TRAINING
          .option("--data DIR", "a training's folder of data")
          .says("Absolute folder with training data.")
          .text("data", PATH, ALWAYS);
  public static final JobField<Integer> BATCH_SIZE =
      OF_TRAINING
          .option(
              "--batch-size B", "samples of a training's batch on one GPU; passed to the training")
          .integer("batchSize", 1, Integer.MAX_VALUE, ALWAYS);
  public static final JobField<Integer> TRAINING_SET_SIZE =
      OF_TRAINING
          .option("--training-set-size T", "samples of the training set; passed to the training")
          .integer("trainingSetSize", 1, Integer.MAX_VALUE, ALWAYS);
  public static final JobField<Integer> MAX_GPUS =
      OF_TRAINING
          .option(
              "--max-gpus N", "1 to N GPUs for a training, as many as its measured speed is worth")
          .also("--single-gpu", "one GPU for a training; means --max-gpus 1")
          .integer("maxGpus", 1, TrainingTerms.MOST_GPUS, ALWAYS);
  public static final JobField<Double> EST_HOURS =
      OF_TRAINING
          .option(
              "--est-hours H",
              "estimated run time of a training; counts until its first epoch is measured")
          .says("Estimated run time in hours, which counts until the first epoch is measured.")
          .number("estHours", ABOVE_ZERO, TrainingTerms.MOST_HOURS, ALWAYS);

  /** Relative ones are below the folder of the shell, or of the job file. */
  public static final List<JobField<String>> FOLDERS = List.of(SNAPSHOTS, CUSTOM, DATA);

  public static final List<JobField<?>> ALL = ROWS.fields();

  private TrainingRows() {}

  /**
   * Returns the terms, null for a job that is no training.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static TrainingTerms terms(FieldValues values) {
    if (!values.has(EPOCHS)) {
      values.refuseWithout(EPOCHS, "epochs");
      return null;
    }
    if (values.has(WorkRows.COUNT) && values.get(WorkRows.COUNT) != 1) {
      throw new IllegalArgumentException(
          "epochs require a job of one task, got count "
              + values.get(WorkRows.COUNT)
              + ": each training is a job of its own");
    }
    return new TrainingTerms(
        values.get(EPOCHS),
        folder(values, SNAPSHOTS),
        folder(values, CUSTOM),
        folder(values, DATA),
        values.get(BATCH_SIZE),
        values.get(TRAINING_SET_SIZE),
        maxGpus(values),
        values.get(EST_HOURS));
  }

  private static int maxGpus(FieldValues values) {
    Integer most = values.get(MAX_GPUS);
    if (most == null) {
      return 0;
    }
    if (most < 1) {
      throw new IllegalArgumentException("maxGpus must be 1 or more, got " + most);
    }
    if (values.has(NeedsRows.GPUS)
        && (values.get(NeedsRows.GPUS) < 1 || values.get(NeedsRows.GPUS) > most)) {
      throw new IllegalArgumentException(
          "gpus must be 1 to maxGpus " + most + ", got " + values.get(NeedsRows.GPUS));
    }
    return most;
  }

  private static String folder(FieldValues values, JobField<String> field) {
    String path = values.get(field);
    if (path == null) {
      return null;
    }
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          field.name() + " must be an absolute path, got " + ShortenedValues.quoted(path));
    }
    return Path.of(path).normalize().toString();
  }
}
