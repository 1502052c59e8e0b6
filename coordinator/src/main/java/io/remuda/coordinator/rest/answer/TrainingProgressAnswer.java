package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.store.row.TrainingEpochProgress;

/**
 * How far a training is; part of {@link JobAnswer}.
 *
 * @param epochMillis duration of an epoch, or null
 * @param epochMeasured whether {@code epochMillis} is measured, and not the user's estimate
 * @param expectedEndAt time, or null
 */
public record TrainingProgressAnswer(
    int epochs, int epochsDone, Long epochMillis, boolean epochMeasured, String expectedEndAt) {

  static TrainingProgressAnswer of(TrainingEpochProgress count) {
    return count == null
        ? null
        : new TrainingProgressAnswer(
            count.total(),
            count.done(),
            count.millis() == 0 ? null : count.millis(),
            count.measured(),
            JobAnswer.time(count.endsAt()));
  }
}
