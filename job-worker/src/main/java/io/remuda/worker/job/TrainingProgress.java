package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How far a training is, by what it has told at the ends of its epochs.
 *
 * @param epochsDone number of epochs done in all attempts together
 * @param epochMillis duration of the newest epoch, 0 if none was told
 * @param longestMillis duration of the longest epoch that is known, 0 if none is
 * @param startMillis from the launch of the attempt to the beginning of its first epoch; 0 if
 *     unknown
 * @param endedAt end of the newest epoch in milliseconds since 1970, by the node's clock; 0 before
 * @param leaves whether the attempt was told to leave at the end of its epoch
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
    long startMillis,
    long endedAt,
    boolean leaves,
    Double stepSeconds,
    Long gpuMiB,
    Integer utilPercent) {

  /** The progress of a training that has told nothing. */
  public static final TrainingProgress NONE = after(0, 0);

  /** How long an attempt may take for an epoch while the duration of none is known. */
  private static final long FIRST_EPOCH_MILLIS = 600_000;

  /** How many of its longest epochs an attempt may take until it leaves. */
  private static final int EPOCHS = 2;

  public TrainingProgress {
    RecordChecks.within("epochsDone", 0, TrainingTerms.MOST_EPOCHS, epochsDone);
    RecordChecks.notNegative("epochMillis", epochMillis);
    RecordChecks.notNegative("longestMillis", longestMillis);
    RecordChecks.notNegative("startMillis", startMillis);
  }

  /**
   * Returns the progress of an attempt that begins after this many epochs.
   *
   * @param longestMillis duration of the longest epoch of earlier attempts, 0 if unknown
   */
  public static TrainingProgress after(int epochsDone, long longestMillis) {
    return new TrainingProgress(epochsDone, 0, longestMillis, 0, 0, false, null, null, null);
  }

  /**
   * Returns how long the attempt may take to leave at the end of an epoch, in milliseconds: twice
   * its longest epoch, or ten minutes while none is known.
   */
  public long patienceMillis() {
    return longestMillis == 0 ? FIRST_EPOCH_MILLIS : EPOCHS * longestMillis;
  }

  /**
   * Returns the progress after the end of an epoch.
   *
   * @param millis its duration, 0 if it is unknown
   * @param at time of its end in milliseconds since 1970
   */
  public TrainingProgress done(int epochs, long millis, long at) {
    return new TrainingProgress(
        epochs,
        millis > 0 ? millis : epochMillis,
        Math.max(longestMillis, millis),
        startMillis,
        at,
        leaves,
        stepSeconds,
        gpuMiB,
        utilPercent);
  }

  /** Returns the progress with the time from launch to first epoch. */
  public TrainingProgress startedIn(long millis) {
    return with(millis, leaves, stepSeconds, gpuMiB, utilPercent);
  }

  /** Returns the progress of an attempt that was told to leave, or of the one after it. */
  public TrainingProgress leaving(boolean told) {
    return with(startMillis, told, stepSeconds, gpuMiB, utilPercent);
  }

  /** Returns the progress with a newer measurement of its steps; memory is the highest seen. */
  public TrainingProgress measured(double seconds, long miB) {
    long most = gpuMiB == null ? miB : Math.max(gpuMiB, miB);
    return with(startMillis, leaves, seconds, most, utilPercent);
  }

  /**
   * Returns the progress with what its node has measured.
   *
   * @param bytes most memory of one GPU that its processes had together
   * @param percent mean utilisation of its GPUs, or null
   */
  public TrainingProgress seen(long bytes, Integer percent) {
    return with(startMillis, leaves, stepSeconds, bytes >> 20, percent);
  }

  private TrainingProgress with(long start, boolean told, Double seconds, Long miB, Integer util) {
    return new TrainingProgress(
        epochsDone, epochMillis, longestMillis, start, endedAt, told, seconds, miB, util);
  }
}
