package io.remuda.worker.job;

/**
 * How an attempt is ended that has to end before it does so by itself.
 *
 * @param graceMillis from SIGTERM to SIGKILL, 0 to {@value #MOST_GRACE_MILLIS}; 0 for SIGKILL at
 *     once
 * @param warning sent before the time limit, or null for none
 */
public record EndingTerms(long graceMillis, WarningSignal warning) {

  /** One hour. */
  public static final long MOST_GRACE_MILLIS = 3_600_000;

  /** SIGTERM, and SIGKILL after half a minute, as in Slurm and Kubernetes. */
  public static final EndingTerms USUAL = new EndingTerms(30_000, null);

  public EndingTerms {
    if (graceMillis < 0 || graceMillis > MOST_GRACE_MILLIS) {
      throw new IllegalArgumentException(
          "graceMillis must be 0 to " + MOST_GRACE_MILLIS + ", got " + graceMillis);
    }
  }
}
