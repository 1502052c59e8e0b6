package io.remuda.coordinator.store.row;

import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;

/**
 * How many epochs of a training are done, and when it is expected to end.
 *
 * @param total number of epochs to be done
 * @param done number of epochs done
 * @param millis duration of an epoch: of the newest one, or until one is measured by the user's
 *     estimate; 0 if unknown
 * @param measured whether {@code millis} is measured
 * @param endsAt expected end in milliseconds since 1970, 0 if unknown or not running
 */
public record TrainingEpochProgress(
    int total, int done, long millis, boolean measured, long endsAt) {

  private static final double MILLIS_OF_HOUR = 3_600_000;

  /** Returns the count of a training that has not begun. */
  static TrainingEpochProgress of(TrainingTerms terms) {
    double hours = terms.estimatedHours() == null ? 0 : terms.estimatedHours();
    long millis = Math.round(hours * MILLIS_OF_HOUR / terms.epochs());
    return new TrainingEpochProgress(terms.epochs(), 0, millis, false, 0);
  }

  /**
   * Returns the count after a change.
   *
   * @param told what the training has told, or null
   * @param running whether it runs now
   * @param at time of the change, in milliseconds since 1970
   */
  TrainingEpochProgress after(TrainingProgress told, boolean running, long at) {
    int now = told == null ? done : told.epochsDone();
    boolean known = told != null && told.epochMillis() > 0;
    long each = known ? told.epochMillis() : millis;
    boolean keeps = running && endsAt > 0 && now == done;
    long end = !running || each == 0 ? 0 : keeps ? endsAt : at + (total - now) * each;
    return new TrainingEpochProgress(total, now, each, known || measured, end);
  }
}
