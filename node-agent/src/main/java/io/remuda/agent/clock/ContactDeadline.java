package io.remuda.agent.clock;

import java.time.Duration;

/**
 * A deadline that each contact moves on. Times are nanoseconds of one monotonic clock, never
 * timestamps.
 *
 * @param lengthNanos time from a renewal to the deadline
 * @param renewedAt time of the last renewal
 */
public record ContactDeadline(long lengthNanos, long renewedAt) {

  /** Creates a deadline that is renewed now. */
  public static ContactDeadline begin(Duration length, long now) {
    return new ContactDeadline(length.toNanos(), now);
  }

  public ContactDeadline renew(long now) {
    return new ContactDeadline(lengthNanos, now);
  }

  public boolean expired(long now) {
    return remainingMillis(now) == 0;
  }

  /** Returns the remaining time; 0 once the deadline has passed. */
  public long remainingMillis(long now) {
    return Math.max(0, (lengthNanos - (now - renewedAt)) / 1_000_000);
  }
}
