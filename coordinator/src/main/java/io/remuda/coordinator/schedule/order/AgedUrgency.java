package io.remuda.coordinator.schedule.order;

import java.time.Duration;

/**
 * How urgent jobs are: what the policy says of them, twice as urgent for each {@value #DAYS} days
 * since they came. New jobs come with no age, so each waiting job is the most urgent one at last,
 * and nobody starves. Among jobs of which nothing changes, time does not change the order.
 */
public final class AgedUrgency {

  /** A job that has waited so many days is twice as urgent. */
  static final long DAYS = 60;

  private static final double DOUBLING_MILLIS = Duration.ofDays(DAYS).toMillis();

  private AgedUrgency() {}

  /**
   * Returns a policy's value of a job with its age.
   *
   * @param value ends per second
   * @param ageMillis since the job came
   */
  public static double aged(double value, long ageMillis) {
    return value * Math.pow(2, Math.max(0, ageMillis) / DOUBLING_MILLIS);
  }
}
