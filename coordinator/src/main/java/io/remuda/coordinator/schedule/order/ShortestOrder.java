package io.remuda.coordinator.schedule.order;

/**
 * Shortest remaining GPU time first: {@code value = 1 / remaining seconds}, so that the urgency is
 * {@code 1 / (remaining seconds × GPUs)}. Jobs whose length nobody knows come last, first come,
 * first served.
 *
 * <p>Source: Smith, "Various optimizers for single-stage production", 1956 (weight over length);
 * "SRSF" in Gu et al., "Tiresias", NSDI 2019.
 */
final class ShortestOrder implements OrderPolicy {

  private static final double MILLIS = 1000;

  @Override
  public Turns turns() {
    return Turns.URGENCY;
  }

  @Override
  public double value(JobStanding job, LearnedDurations learned) {
    return job.leftMillis().isEmpty() ? 0 : MILLIS / Math.max(1, job.leftMillis().getAsLong());
  }

  @Override
  public boolean exchanges() {
    return true;
  }
}
