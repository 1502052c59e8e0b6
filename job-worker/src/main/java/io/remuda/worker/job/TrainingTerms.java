package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What a user says of a training that is done in epochs. Null stands for what was not said.
 *
 * @param epochs number of epochs to be done, 1 to {@value #MOST_EPOCHS}
 * @param snapshots absolute folder for its snapshots, or null
 * @param custom absolute folder with the user's own files, or null
 * @param data absolute folder with training data, or null
 * @param batchSize number of samples of a batch on one GPU, at least 1, or null
 * @param trainingSetSize number of samples of the training set, at least 1, or null
 * @param maxGpus highest number of GPUs that it may get, at least 1; 0 for the number requested
 * @param estimatedHours estimated run time, above 0, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainingTerms(
    int epochs,
    String snapshots,
    String custom,
    String data,
    Integer batchSize,
    Integer trainingSetSize,
    int maxGpus,
    Double estimatedHours) {

  /** Highest number of epochs. */
  public static final int MOST_EPOCHS = 1_000_000;

  /** Highest number of GPUs of one training. */
  public static final int MOST_GPUS = 1024;

  /** Longest estimated run time in hours: ten years. */
  public static final double MOST_HOURS = 87_600;

  public TrainingTerms {
    RecordChecks.within("epochs", 1, MOST_EPOCHS, epochs);
    RecordChecks.within("maxGpus", 0, MOST_GPUS, maxGpus);
    checkCount("batchSize", batchSize);
    checkCount("trainingSetSize", trainingSetSize);
    if (estimatedHours != null && !(estimatedHours > 0 && estimatedHours <= MOST_HOURS)) {
      throw new IllegalArgumentException(
          "estHours must be above 0 and at most " + (long) MOST_HOURS + ", got " + estimatedHours);
    }
  }

  private static void checkCount(String name, Integer count) {
    if (count != null && count < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, got " + count);
    }
  }

  /** Returns whether its number of GPUs may change after each epoch. */
  @JsonIgnore
  public boolean isElastic() {
    return maxGpus > 1;
  }

  /** Returns terms of which only the number of epochs is known. */
  public static TrainingTerms of(int epochs) {
    return new TrainingTerms(epochs, null, null, null, null, null, 0, null);
  }
}
