package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.worker.job.JobSpec;
import java.util.List;

/**
 * A job, what it asked for, and its first tasks.
 *
 * @param job whose fields stand beside the others
 * @param needs of each task
 * @param dependents numbers of the jobs that have not ended and wait for it; absent for none, and
 *     if its progress was not asked for
 * @param attempts the newest attempt of each of its first tasks
 * @param moreAttempts whether there are further tasks
 */
public record JobDetailsAnswer(
    @JsonUnwrapped JobAnswer job,
    @JsonInclude(JsonInclude.Include.NON_NULL) NeedsAnswer needs,
    @JsonInclude(JsonInclude.Include.NON_NULL) JobTermsAnswer terms,
    @JsonInclude(JsonInclude.Include.NON_NULL) WorkloadAnswer workload,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Long> dependents,
    List<TaskAnswer> attempts,
    boolean moreAttempts) {

  /**
   * @param spec null if it is not known any more
   * @param own whether it is for the job's owner
   */
  public static JobDetailsAnswer of(
      JobAnswer job,
      JobSpec spec,
      List<Long> dependents,
      List<TaskAnswer> attempts,
      boolean more,
      boolean own) {
    return spec == null
        ? new JobDetailsAnswer(job, null, null, null, dependents, attempts, more)
        : new JobDetailsAnswer(
            job,
            NeedsAnswer.of(spec.request()),
            JobTermsAnswer.of(spec.terms(), own),
            WorkloadAnswer.of(spec.tasks().get(0), own),
            dependents,
            attempts,
            more);
  }
}
