package io.remuda.coordinator.actor;

import java.util.function.LongSupplier;

/**
 * Limits handshakes with a token bucket that holds the tokens of one second. A handshake costs the
 * server about a millisecond of CPU before the client is authenticated. Single-threaded.
 */
public final class HandshakeRateLimiter {

  private static final double NANOS = 1e9;

  private final int perSecond;
  private final LongSupplier nanoClock;
  private double left;
  private long at;

  /**
   * Creates a limit.
   *
   * @param perSecond maximum rate of all connections together
   * @param nanoClock monotonic clock in nanoseconds
   */
  public HandshakeRateLimiter(int perSecond, LongSupplier nanoClock) {
    this.perSecond = perSecond;
    this.nanoClock = nanoClock;
    this.left = perSecond;
    this.at = nanoClock.getAsLong();
  }

  /** Returns whether another handshake may begin now, and counts it if so. */
  boolean admits() {
    long now = nanoClock.getAsLong();
    left = Math.min(perSecond, left + (now - at) / NANOS * perSecond);
    at = now;
    boolean admitted = left >= 1;
    left -= admitted ? 1 : 0;
    return admitted;
  }
}
