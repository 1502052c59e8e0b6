package io.remuda.coordinator.rest.answer;

import io.remuda.worker.job.JobId;
import java.util.List;

/**
 * The jobs of a submission.
 *
 * @param ids in the order of the submission
 */
public record SubmittedAnswer(List<Long> ids) {

  public static SubmittedAnswer of(List<JobId> jobs) {
    return new SubmittedAnswer(jobs.stream().map(JobId::value).toList());
  }
}
