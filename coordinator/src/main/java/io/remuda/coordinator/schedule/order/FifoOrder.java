package io.remuda.coordinator.schedule.order;

/** First come, first served: nobody passes a task that has no place yet. To compare with. */
final class FifoOrder implements OrderPolicy {

  @Override
  public Turns turns() {
    return Turns.STRICT;
  }

  @Override
  public double value(JobStanding job, LearnedDurations learned) {
    return 0;
  }

  @Override
  public boolean exchanges() {
    return false;
  }
}
