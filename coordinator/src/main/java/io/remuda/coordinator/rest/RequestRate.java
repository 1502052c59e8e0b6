package io.remuda.coordinator.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets each user ask so many times a second and no more, after a pause up to a second's worth at
 * once. All threads.
 */
final class RequestRate {

  private static final double NANOS = 1e9;

  private record Allowance(double requests, long at) {}

  private final int perSecond;
  private final LongSupplier nanoClock;
  private final Map<String, Allowance> left = new HashMap<>();

  /**
   * A limit of {@code perSecond} requests for each.
   *
   * @param nanoClock monotonic
   */
  RequestRate(int perSecond, LongSupplier nanoClock) {
    if (perSecond < 1) {
      throw new IllegalArgumentException("a rate is at least 1 a second, got " + perSecond);
    }
    this.perSecond = perSecond;
    this.nanoClock = nanoClock;
  }

  /** Whether one more request of this user is within the rate; counts it if it is. */
  synchronized boolean admits(String user) {
    long now = nanoClock.getAsLong();
    Allowance before = left.getOrDefault(user, new Allowance(perSecond, now));
    double earned = (now - before.at()) / NANOS * perSecond;
    double requests = Math.min(perSecond, before.requests() + earned);
    boolean admitted = requests >= 1;
    left.put(user, new Allowance(admitted ? requests - 1 : requests, now));
    return admitted;
  }
}
