package io.remuda.coordinator.store;

import java.time.Duration;
import java.util.Objects;

/**
 * What is kept of jobs that are over; of a job that is kept no longer nothing is.
 *
 * @param age so long after its end
 * @param jobs so many, those that ended last
 */
public record Retention(Duration age, int jobs) {

  public Retention {
    Objects.requireNonNull(age, "age");
    if (age.isZero() || age.isNegative()) {
      throw new IllegalArgumentException("retention.age must be above 0, got " + age);
    }
    if (jobs < 0) {
      throw new IllegalArgumentException("retention.jobs must be at least 0, got " + jobs);
    }
  }

  /**
   * Whether a job is kept no longer.
   *
   * @param place among the jobs that are over, 1 for the one that ended last
   */
  boolean isPast(JobRow over, long place, long nowMillis) {
    return place > jobs || over.ended() < nowMillis - age.toMillis();
  }
}
