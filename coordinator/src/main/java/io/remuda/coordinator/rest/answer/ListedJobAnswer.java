package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.worker.job.JobSpec;

/**
 * A job of a list.
 *
 * @param job whose fields stand beside the others
 * @param needs of each task; absent if it was not asked for, as the next
 * @param peakRssBytes the most memory that a task of it had, all its processes together; absent if
 *     it was not asked for, or is not known
 */
public record ListedJobAnswer(
    @JsonUnwrapped JobAnswer job,
    @JsonInclude(JsonInclude.Include.NON_NULL) NeedsAnswer needs,
    @JsonInclude(JsonInclude.Include.NON_NULL) JobTermsAnswer terms,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long peakRssBytes) {

  /**
   * @param spec null if it was not asked for, or is not known any more
   * @param peak bytes; null if they were not asked for, or are not known
   * @param own whether it is for the job's owner
   */
  public static ListedJobAnswer of(JobAnswer job, JobSpec spec, Long peak, boolean own) {
    return spec == null
        ? new ListedJobAnswer(job, null, null, peak)
        : new ListedJobAnswer(
            job, NeedsAnswer.of(spec.request()), JobTermsAnswer.of(spec.terms(), own), peak);
  }
}
