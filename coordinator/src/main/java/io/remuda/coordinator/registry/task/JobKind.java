package io.remuda.coordinator.registry.task;

import io.remuda.worker.job.JobSpec;
import java.util.EnumSet;
import java.util.Set;

/** A property of a job that few jobs have, and by which they are found at once. */
public enum JobKind {
  /** A training whose number of GPUs may change. */
  ELASTIC,
  /** Its tasks start together. */
  GANG,
  /** It has a time limit of the whole. */
  TIME_LIMITED;

  /** Returns the kinds of a job, mostly none. */
  public static Set<JobKind> of(JobSpec job) {
    Set<JobKind> kinds = EnumSet.noneOf(JobKind.class);
    if (job.terms().training() != null && job.terms().training().isElastic()) {
      kinds.add(ELASTIC);
    }
    if (job.terms().startsTogether()) {
      kinds.add(GANG);
    }
    if (job.terms().jobTimeLimitMillis() > 0) {
      kinds.add(TIME_LIMITED);
    }
    return kinds;
  }
}
