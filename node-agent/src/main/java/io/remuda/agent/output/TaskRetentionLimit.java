package io.remuda.agent.output;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * The limit of what is kept of ended tasks on a node; tasks that ended last are kept longest.
 *
 * @param age maximum time since the end
 * @param bytes maximum total size
 * @param count maximum number of tasks
 */
public record TaskRetentionLimit(Duration age, long bytes, int count) {

  public TaskRetentionLimit {
    if (age.isZero() || age.isNegative()) {
      throw new IllegalArgumentException("ended-age must be above 0, got " + age);
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("ended-size must be at least 0, got " + bytes);
    }
    if (count < 0) {
      throw new IllegalArgumentException("ended-count must be at least 0, got " + count);
    }
  }

  /** Reads the limit under {@code remuda.agent}. */
  public static TaskRetentionLimit from(Config agent) {
    return new TaskRetentionLimit(
        agent.getDuration("ended-age"), agent.getBytes("ended-size"), agent.getInt("ended-count"));
  }
}
