package io.remuda.coordinator.schedule.order;

/**
 * Least attained service in levels: who has had fewer GPU seconds is first, but jobs whose GPU
 * seconds differ by less than a factor of {@value #STEP} are equal, and then the first submitted is
 * first. It needs to know nothing.
 *
 * <p>{@code value = GPUs / (60 × 4^level)}, {@code level = ⌊log4(GPU seconds / 60)⌋}, at least 0.
 * Source: Gu et al., "Tiresias", NSDI 2019 (discretized 2D-LAS).
 */
final class LevelsOrder implements OrderPolicy {

  private static final double STEP = 4;
  private static final double FIRST_LEVEL_MILLIS = 60_000;
  private static final double MILLIS = 1000;

  @Override
  public Turns turns() {
    return Turns.URGENCY;
  }

  @Override
  public double value(JobStanding job, LearnedDurations learned) {
    return job.gpus() * MILLIS / (FIRST_LEVEL_MILLIS * Math.pow(STEP, level(job)));
  }

  private static double level(JobStanding job) {
    double had = (double) job.gpus() * job.ranMillis() / FIRST_LEVEL_MILLIS;
    return had < 1 ? 0 : Math.floor(Math.log(had) / Math.log(STEP));
  }

  @Override
  public long fallsAt(JobStanding job) {
    double next = FIRST_LEVEL_MILLIS * Math.pow(STEP, level(job) + 1) / job.gpus();
    return Math.max(job.ranMillis() + 1, (long) Math.ceil(next));
  }

  @Override
  public boolean exchanges() {
    return true;
  }
}
