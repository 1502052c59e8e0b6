package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

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
          .integer("epochs", ALWAYS);
  public static final JobField<String> SNAPSHOTS =
      OF_TRAINING
          .option(
              "--snapshots DIR", "folder for a training's snapshots; it is made if it is missing")
          .text("snapshots", PATH, ALWAYS);
  public static final JobField<String> CUSTOM =
      OF_TRAINING
          .option("--custom DIR", "a training's folder of your files")
          .text("custom", PATH, ALWAYS);
  public static final JobField<String> DATA =
      OF_TRAINING.option("--data DIR", "a training's folder of data").text("data", PATH, ALWAYS);
  public static final JobField<Integer> BATCH_SIZE =
      OF_TRAINING
          .option(
              "--batch-size B", "samples of a training's batch on one GPU; passed to the training")
          .integer("batchSize", ALWAYS);
  public static final JobField<Integer> TRAINING_SET_SIZE =
      OF_TRAINING
          .option("--training-set-size T", "samples of the training set; passed to the training")
          .integer("trainingSetSize", ALWAYS);
  public static final JobField<Integer> MAX_GPUS =
      OF_TRAINING
          .option(
              "--max-gpus N", "1 to N GPUs for a training, as many as its measured speed is worth")
          .also("--single-gpu", "one GPU for a training; means --max-gpus 1")
          .integer("maxGpus", ALWAYS);
  public static final JobField<Double> EST_HOURS =
      OF_TRAINING
          .option(
              "--est-hours H",
              "estimated run time of a training; counts until its first epoch is measured")
          .number("estHours", ALWAYS);

  /** Relative ones are below the folder of the shell, or of the job file. */
  public static final List<JobField<String>> FOLDERS = List.of(SNAPSHOTS, CUSTOM, DATA);

  public static final List<JobField<?>> ALL = ROWS.fields();

  private TrainingRows() {}
}
