package io.remuda.coordinator.registry.task;

import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.util.EnumSet;
import java.util.Set;

/** A property of a job that few jobs have, and by which they are found at once. */
public enum IndexedJobProperty {
  /** A training whose number of GPUs may change. */
  ELASTIC,
  /** Its tasks start together. */
  GANG,
  /** It has a time limit of the whole. */
  TIME_LIMITED,
  /** It may begin only at a given time. */
  BEGINS_LATER,
  /** It is before its user's other jobs until a given time. */
  FIRST_FOR_A_TIME,
  /** Its tasks need counted resources. */
  COUNTED,
  /** It was promised a speed beside others on its GPUs. */
  SHARE_PROMISE;

  /** Returns the kinds of a job, mostly none. */
  public static Set<IndexedJobProperty> of(JobSpec job) {
    Set<IndexedJobProperty> kinds = EnumSet.noneOf(IndexedJobProperty.class);
    if (job.terms().training() != null && job.terms().training().isElastic()) {
      kinds.add(ELASTIC);
    }
    if (job.terms().startsTogether()) {
      kinds.add(GANG);
    }
    if (job.terms().jobTimeLimitMillis() > 0) {
      kinds.add(TIME_LIMITED);
    }
    if (job.terms().beginMillis() > 0) {
      kinds.add(BEGINS_LATER);
    }
    if (job.terms().array().firstUntilMillis() > 0) {
      kinds.add(FIRST_FOR_A_TIME);
    }
    if (counts(job)) {
      kinds.add(COUNTED);
    }
    if (job.request().shareIf() > 0) {
      kinds.add(SHARE_PROMISE);
    }
    return kinds;
  }

  private static boolean counts(JobSpec job) {
    boolean hasRoles = job.terms().gang() != null && !job.terms().gang().roles().isEmpty();
    return hasRoles
        ? job.terms().gang().roles().stream().anyMatch(role -> counts(role.request()))
        : counts(job.request());
  }

  private static boolean counts(ResourceRequest needs) {
    return !needs.nodeNeeds().counted().isEmpty();
  }
}
