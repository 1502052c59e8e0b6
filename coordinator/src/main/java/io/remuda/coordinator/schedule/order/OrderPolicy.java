package io.remuda.coordinator.schedule.order;

/**
 * Whose turn it is among tasks of equal priority, and for whom running ones leave. A policy has no
 * state: what it learns from is given to it, so equal input gives an equal order.
 */
public interface OrderPolicy {

  /** How the tasks of different users follow each other. */
  enum Turns {
    /** The user who has used the least of their share is first. */
    FAIR_SHARE,
    /** The most urgent task is first, of equal ones the one submitted first. */
    URGENCY,
    /** The same, and nobody starts before a task that is ahead. */
    STRICT
  }

  /** Returns how users follow each other. */
  Turns turns();

  /**
   * Returns how many such jobs per second end while it runs, expected; 0 if the policy has no
   * opinion. Divided by its GPUs this is how urgent it is: the cluster ends the most jobs if the
   * most urgent ones have the GPUs.
   *
   * @param learned from jobs that have ended, and from how long others have run without an end
   */
  double value(JobStanding job, LearnedDurations learned);

  /**
   * Returns after which run time the value of a running job falls, in milliseconds.
   *
   * @return {@code Long.MAX_VALUE} if it never does
   */
  default long fallsAt(JobStanding job) {
    return Long.MAX_VALUE;
  }

  /** Returns whether running tasks that may leave make place for more urgent ones. */
  boolean exchanges();
}
