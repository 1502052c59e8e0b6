package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;

import java.util.List;
import java.util.Map;

/** What makes a job a training. */
public final class TrainingRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup OF_TRAINING = ROWS.beside(Map.of("epochs", 1));

  public static final JobField<Integer> EPOCHS = ROWS.integer("epochs", ALWAYS);
  public static final JobField<String> SNAPSHOTS = OF_TRAINING.text("snapshots", PATH, ALWAYS);
  public static final JobField<String> CUSTOM = OF_TRAINING.text("custom", PATH, ALWAYS);
  public static final JobField<String> DATA = OF_TRAINING.text("data", PATH, ALWAYS);
  public static final JobField<Integer> BATCH_SIZE = OF_TRAINING.integer("batchSize", ALWAYS);
  public static final JobField<Integer> TRAINING_SET_SIZE =
      OF_TRAINING.integer("trainingSetSize", ALWAYS);
  public static final JobField<Integer> MAX_GPUS = OF_TRAINING.integer("maxGpus", ALWAYS);
  public static final JobField<Double> EST_HOURS = OF_TRAINING.number("estHours", ALWAYS);

  public static final List<JobField<?>> ALL = ROWS.fields();

  private TrainingRows() {}
}
