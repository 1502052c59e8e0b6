package io.remuda.coordinator.actor;

import java.util.function.LongSupplier;

/**
 * How many connections may begin a handshake: so many a second, after a pause a second's worth at
 * once. A handshake costs the server about a millisecond of arithmetic before it knows anything of
 * the other side. One thread.
 */
public final class HandshakeRate {

  private static final double NANOS = 1e9;

  private final int perSecond;
  private final LongSupplier nanoClock;
  private double left;
  private long at;

  /**
   * A limit of {@code perSecond} for all together.
   *
   * @param nanoClock monotonic
   */
  public HandshakeRate(int perSecond, LongSupplier nanoClock) {
    this.perSecond = perSecond;
    this.nanoClock = nanoClock;
    this.left = perSecond;
    this.at = nanoClock.getAsLong();
  }

  /** Whether one more may begin now; counts it if so. */
  boolean admits() {
    long now = nanoClock.getAsLong();
    left = Math.min(perSecond, left + (now - at) / NANOS * perSecond);
    at = now;
    boolean admitted = left >= 1;
    left -= admitted ? 1 : 0;
    return admitted;
  }
}
