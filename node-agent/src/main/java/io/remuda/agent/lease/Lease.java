package io.remuda.agent.lease;

import java.time.Duration;

/**
 * A right that passes unless it is renewed. Times are nanoseconds of one monotonic clock, never
 * timestamps.
 *
 * @param lengthNanos how long a renewal lasts
 * @param renewedAt when it was last renewed
 */
public record Lease(long lengthNanos, long renewedAt) {

  /** A lease that begins now. */
  public static Lease begin(Duration length, long now) {
    return new Lease(length.toNanos(), now);
  }

  public Lease renew(long now) {
    return new Lease(lengthNanos, now);
  }

  public boolean expired(long now) {
    return remainingMillis(now) == 0;
  }

  /** What is left, 0 once it has passed. */
  public long remainingMillis(long now) {
    return Math.max(0, (lengthNanos - (now - renewedAt)) / 1_000_000);
  }
}
