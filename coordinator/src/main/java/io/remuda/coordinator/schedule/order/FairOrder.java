package io.remuda.coordinator.schedule.order;

/** The user who has used the least of their share is first; of one user, the first submitted. */
final class FairOrder implements OrderPolicy {

  @Override
  public Turns turns() {
    return Turns.FAIR_SHARE;
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
