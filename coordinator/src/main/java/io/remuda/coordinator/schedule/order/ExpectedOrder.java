package io.remuda.coordinator.schedule.order;

/**
 * The best that can be said of each job: {@linkplain ShortestOrder its remaining time} where it is
 * known, else {@linkplain LearnedOrder what is learned} of others. Both are ends per second, so
 * jobs of both kinds can be compared.
 */
final class ExpectedOrder implements OrderPolicy {

  private final OrderPolicy known = new ShortestOrder();
  private final OrderPolicy unknown = new LearnedOrder();

  @Override
  public Turns turns() {
    return Turns.URGENCY;
  }

  @Override
  public double value(JobStanding job, LearnedDurations learned) {
    return of(job).value(job, learned);
  }

  @Override
  public long fallsAt(JobStanding job) {
    return of(job).fallsAt(job);
  }

  private OrderPolicy of(JobStanding job) {
    return job.leftMillis().isPresent() ? known : unknown;
  }

  @Override
  public boolean exchanges() {
    return true;
  }
}
