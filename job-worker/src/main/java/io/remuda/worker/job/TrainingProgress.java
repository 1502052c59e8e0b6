package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How far a training is, by what it has told at the ends of its epochs.
 *
 * @param epochsDone number of epochs done in all attempts together
 * @param epochMillis duration of the newest epoch, 0 if none was told
 * @param longestMillis duration of the longest epoch of the attempt, 0 if none was told
 * @param stepSeconds mean duration of a step, or null if none was told
 * @param gpuMiB most memory of one GPU in MiB: of all its processes as its node has measured, else
 *     as the training itself has told; or null
 * @param utilPercent mean utilisation of its GPUs as its node has measured, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainingProgress(
    int epochsDone,
    long epochMillis,
    long longestMillis,
    Double stepSeconds,
    Long gpuMiB,
    Integer utilPercent) {

  /** The progress of a training that has told nothing. */
  public static final TrainingProgress NONE = new TrainingProgress(0, 0, 0, null, null, null);

  /** How long an attempt may take for an epoch while the duration of none is known. */
  private static final long FIRST_EPOCH_MILLIS = 600_000;

  /** How many of its longest epochs an attempt may take until it leaves. */
  private static final int EPOCHS = 2;

  public TrainingProgress {
    RecordChecks.within("epochsDone", 0, TrainingTerms.MOST_EPOCHS, epochsDone);
    RecordChecks.notNegative("epochMillis", epochMillis);
    RecordChecks.notNegative("longestMillis", longestMillis);
  }

  /** Returns the progress of an attempt that begins after this many epochs. */
  public static TrainingProgress after(int epochsDone) {
    return new TrainingProgress(epochsDone, 0, 0, null, null, null);
  }

  /**
   * Returns how long the attempt may take to leave at the end of an epoch, in milliseconds: twice
   * its longest epoch, or ten minutes while none is known.
   */
  public long patienceMillis() {
    return longestMillis == 0 ? FIRST_EPOCH_MILLIS : EPOCHS * longestMillis;
  }

  /** Returns the progress after the end of an epoch; {@code millis} is 0 if it is unknown. */
  public TrainingProgress done(int epochs, long millis) {
    return new TrainingProgress(
        epochs,
        millis > 0 ? millis : epochMillis,
        Math.max(longestMillis, millis),
        stepSeconds,
        gpuMiB,
        utilPercent);
  }

  /** Returns the progress with a newer measurement of its steps; memory is the highest seen. */
  public TrainingProgress measured(double seconds, long miB) {
    long most = gpuMiB == null ? miB : Math.max(gpuMiB, miB);
    return new TrainingProgress(epochsDone, epochMillis, longestMillis, seconds, most, utilPercent);
  }

  /**
   * Returns the progress with what its node has measured.
   *
   * @param bytes most memory of one GPU that its processes had together
   * @param percent mean utilisation of its GPUs, or null
   */
  public TrainingProgress seen(long bytes, Integer percent) {
    return new TrainingProgress(
        epochsDone, epochMillis, longestMillis, stepSeconds, bytes >> 20, percent);
  }
}
