package io.remuda.agent.output;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * How much is kept of what ended tasks have left on a node.
 *
 * @param age so long after the end
 * @param bytes so much in all, of those that ended last
 * @param count so many, of those that ended last
 */
public record EndedLimit(Duration age, long bytes, int count) {

  public EndedLimit {
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

  /** The limit that is set under {@code remuda.agent}. */
  public static EndedLimit from(Config agent) {
    return new EndedLimit(
        agent.getDuration("ended-age"), agent.getBytes("ended-size"), agent.getInt("ended-count"));
  }
}
