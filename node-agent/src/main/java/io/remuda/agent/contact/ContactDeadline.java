package io.remuda.agent.contact;

import java.time.Duration;

/**
 * A right that passes unless it is renewed. Times are nanoseconds of one monotonic clock, never
 * timestamps.
 *
 * @param lengthNanos how long a renewal lasts
 * @param renewedAt when it was last renewed
 */
public record ContactDeadline(long lengthNanos, long renewedAt) {

  /** A lease that begins now. */
  public static ContactDeadline begin(Duration length, long now) {
    return new ContactDeadline(length.toNanos(), now);
  }

  public ContactDeadline renew(long now) {
    return new ContactDeadline(lengthNanos, now);
  }

  public boolean expired(long now) {
    return remainingMillis(now) == 0;
  }

  /** What is left, 0 once it has passed. */
  public long remainingMillis(long now) {
    return Math.max(0, (lengthNanos - (now - renewedAt)) / 1_000_000);
  }
}
