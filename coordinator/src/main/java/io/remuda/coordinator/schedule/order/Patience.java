package io.remuda.coordinator.schedule.order;

import java.time.Duration;

/**
 * When a job has waited so long that it is the next one whatever the policy says, and leaves for no
 * other of its priority: {@value #LENGTHS} times as long as it is expected to run, and at least
 * {@value #DAYS} day. So nobody starves who needs more GPUs, or more time, than all who come after:
 * ages alone double the urgency in {@value AgedUrgency#DAYS} days, and a job that never finds its
 * GPUs free at once needs a reservation before the others have their turns.
 *
 * <p>The time is a bound on the stretch, (wait + length) / length, as in Bender, Chakrabarti and
 * Muthukrishnan, "Flow and stretch metrics for scheduling continuous job streams", SODA 1998. It
 * costs others nothing as long as a cluster is not overloaded, since hardly anybody waits so long.
 */
public final class Patience {

  /** A job is patient for at least so many days. */
  static final long DAYS = 1;

  /** A job is patient for so many times its expected length. */
  static final double LENGTHS = 20;

  /** The urgency of a job that is patient no more; more than any other has. */
  public static final double URGENCY = 1e12;

  private static final double MILLIS = 1000;

  private Patience() {}

  /**
   * Returns after how many milliseconds of waiting a job is the next one.
   *
   * @param value ends per second, as the policy says, without its age; 0 if it has no opinion
   */
  public static long millis(double value) {
    double lengths = value <= 0 ? 0 : LENGTHS / value * MILLIS;
    return Math.max(Duration.ofDays(DAYS).toMillis(), Math.round(lengths));
  }
}
