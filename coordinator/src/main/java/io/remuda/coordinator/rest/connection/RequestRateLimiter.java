package io.remuda.coordinator.rest.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits the requests of each user per second. After a pause, up to a second's requests may come at
 * once. Thread-safe.
 */
public final class RequestRateLimiter {

  private static final double NANOS = 1e9;

  private record Allowance(double requests, long at) {}

  private final int perSecond;
  private final LongSupplier nanoClock;
  private final Map<String, Allowance> left = new HashMap<>();

  /**
   * @param perSecond maximum requests of each user
   * @param nanoClock monotonic
   */
  public RequestRateLimiter(int perSecond, LongSupplier nanoClock) {
    if (perSecond < 1) {
      throw new IllegalArgumentException("a rate is at least 1 a second, got " + perSecond);
    }
    this.perSecond = perSecond;
    this.nanoClock = nanoClock;
  }

  /** Returns whether one more request of a user is within the rate, and counts it if so. */
  public synchronized boolean admits(String user) {
    long now = nanoClock.getAsLong();
    Allowance before = left.getOrDefault(user, new Allowance(perSecond, now));
    double earned = (now - before.at()) / NANOS * perSecond;
    double requests = Math.min(perSecond, before.requests() + earned);
    boolean admitted = requests >= 1;
    left.put(user, new Allowance(admitted ? requests - 1 : requests, now));
    return admitted;
  }
}
