package io.remuda.coordinator.store;

import io.remuda.coordinator.store.row.JobRow;
import java.time.Duration;
import java.util.Objects;

/**
 * Which ended jobs are kept. The others are removed with all their data.
 *
 * @param age for how long after its end a job is kept
 * @param jobs maximum number of ended jobs kept, those that ended last
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
   * Returns whether an ended job is to be removed.
   *
   * @param place its place among the ended jobs; 1 for the one that ended last
   */
  boolean isPast(JobRow over, long place, long nowMillis) {
    return place > jobs || over.ended() < nowMillis - age.toMillis();
  }
}
