package io.remuda.coordinator.schedule.order;

/**
 * First come, first served, but what fits now may pass a task that does not; capacity is reserved
 * for the first task that has waited too long.
 */
final class BackfillOrder implements OrderPolicy {

  @Override
  public Turns turns() {
    return Turns.URGENCY; // all are equally urgent, so the first submitted is first
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
