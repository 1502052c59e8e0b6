package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.coordinator.store.row.JobRow;
import java.time.Instant;

/**
 * A job.
 *
 * @param uuid null for jobs of others: by it a training speaks to its node
 * @param reason why it is in its state, or null
 * @param exitCode or null
 * @param submittedAt time
 * @param startedAt time, or null
 * @param endedAt time, or null
 * @param tasks number of its tasks
 * @param epochs of a training, whose fields are the job's; null for other jobs, which lack them
 */
public record JobAnswer(
    long id,
    String uuid,
    String name,
    String user,
    String state,
    String reason,
    Integer exitCode,
    String submittedAt,
    String startedAt,
    String endedAt,
    int tasks,
    @JsonUnwrapped EpochsAnswer epochs) {

  /** Returns a job as others than its owner see it. */
  public static JobAnswer of(JobRow row) {
    return of(row, false);
  }

  /**
   * @param own whether it is for its owner
   */
  public static JobAnswer of(JobRow row, boolean own) {
    return new JobAnswer(
        row.id().value(),
        own ? row.uuid().toString() : null,
        row.name(),
        row.user(),
        row.state().label(),
        row.reason(),
        row.exitCode(),
        time(row.submitted()),
        time(row.started()),
        time(row.ended()),
        row.tasks(),
        EpochsAnswer.of(row.epochs()));
  }

  /** Returns a time as in RFC 3339; null for 0. */
  static String time(long epochMillis) {
    return epochMillis == 0 ? null : Instant.ofEpochMilli(epochMillis).toString();
  }

  /** Returns the job with another reason. */
  JobAnswer because(String other) {
    return new JobAnswer(
        id,
        uuid,
        name,
        user,
        state,
        other,
        exitCode,
        submittedAt,
        startedAt,
        endedAt,
        tasks,
        epochs);
  }
}
