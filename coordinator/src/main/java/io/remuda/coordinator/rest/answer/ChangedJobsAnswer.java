package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.JobsChanged;
import io.remuda.coordinator.api.Rejection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Many jobs and tasks that were changed at once.
 *
 * @param jobs how many whole jobs were changed
 * @param tasks how many single tasks were changed
 * @param over how many of both had ended before
 * @param refused how many were refused for another reason
 * @param reasons the first of these reasons
 */
public record ChangedJobsAnswer(int jobs, int tasks, int over, int refused, List<String> reasons) {

  /**
   * @param over how many of those that are not live had ended
   * @param missing why the others are not there
   */
  public static ChangedJobsAnswer of(JobsChanged done, int over, List<Rejection> missing) {
    return new ChangedJobsAnswer(
        done.jobs(),
        done.tasks(),
        done.over() + over,
        done.refused() + missing.size(),
        Stream.concat(done.refusals().stream(), missing.stream())
            .limit(10)
            .map(ChangedJobsAnswer::words)
            .toList());
  }

  private static String words(Rejection no) {
    return no.todo() == null ? no.message() : no.message() + ": " + no.todo();
  }
}
