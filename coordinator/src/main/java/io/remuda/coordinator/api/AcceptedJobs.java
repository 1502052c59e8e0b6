package io.remuda.coordinator.api;

import io.remuda.worker.job.JobId;
import java.util.List;

/**
 * The answer to a submission.
 *
 * @param ids in the order of the submission; empty if it was only checked
 * @param known whether an earlier submission with the same idempotency keys made them
 */
public record AcceptedJobs(List<JobId> ids, boolean known) {
  public AcceptedJobs {
    ids = List.copyOf(ids);
  }

  public static AcceptedJobs of(List<JobId> ids) {
    return new AcceptedJobs(ids, false);
  }
}
