package io.remuda.coordinator.schedule.order;

/**
 * The Gittins index of jobs whose length nobody knows: the most, over all times t to come, of the
 * chance that the job ends within t, divided by how long it runs until then on average. The chances
 * are {@linkplain LearnedDurations learned} from jobs with as many GPUs.
 *
 * <p>Source: Gittins, "Bandit processes and dynamic allocation indices", 1979; Aalto, Ayesta and
 * Righter, "On the Gittins index in the M/G/1 queue", 2009; for GPUs Gu et al., "Tiresias", NSDI
 * 2019.
 */
final class LearnedOrder implements OrderPolicy {

  @Override
  public Turns turns() {
    return Turns.URGENCY;
  }

  @Override
  public double value(JobStanding job, LearnedDurations learned) {
    return learned.index(job.gpus(), job.ranMillis());
  }

  @Override
  public long fallsAt(JobStanding job) {
    return LearnedDurations.changesAt(job.ranMillis());
  }

  @Override
  public boolean exchanges() {
    return true;
  }
}
