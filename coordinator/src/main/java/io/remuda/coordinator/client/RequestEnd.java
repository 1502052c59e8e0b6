package io.remuda.coordinator.client;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * When requests end, whatever the server does: looking its name up, connecting, the proof, sending
 * and the answer share the time until then, and so do several coordinators and repetitions.
 *
 * @param nanos of {@link System#nanoTime}; empty if there is no end
 */
public record RequestEnd(OptionalLong nanos) {

  /** Without an end: each wait has its own. */
  public static final RequestEnd NONE = new RequestEnd(OptionalLong.empty());

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Returns the end of a time that begins now. */
  public static RequestEnd in(Duration time) {
    return new RequestEnd(OptionalLong.of(System.nanoTime() + time.toNanos()));
  }

  /** Returns whether the time is over. */
  public boolean isOver() {
    return nanos.isPresent() && nanos.getAsLong() - System.nanoTime() <= 0;
  }

  /** Returns for how many milliseconds, at least 1, one may wait that would wait for so many. */
  int millis(int most) throws SocketTimeoutException {
    if (isOver()) {
      throw new SocketTimeoutException("it has not answered in time");
    }
    return nanos.isEmpty() ? most : (int) Math.max(1, Math.min(most, leftMillis()));
  }

  /** Returns the end of one of so many equal parts of the time that is left. */
  RequestEnd part(int parts) {
    if (nanos.isEmpty()) {
      return this;
    }
    long now = System.nanoTime();
    return new RequestEnd(OptionalLong.of(now + (nanos.getAsLong() - now) / parts));
  }

  /** Returns the earlier of this one and the end of a time that begins now. */
  RequestEnd orIn(Duration time) {
    return nanos.isPresent() && leftMillis() < time.toMillis() ? this : in(time);
  }

  /**
   * Returns how many milliseconds are left, a begun one for a whole one: who waits so long finds it
   * over. 0 or less if it is over. Of one that has an end.
   */
  long leftMillis() {
    return -Math.floorDiv(System.nanoTime() - nanos.getAsLong(), NANOS_PER_MILLI);
  }
}
