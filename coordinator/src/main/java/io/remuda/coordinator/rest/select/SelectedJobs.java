package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.store.row.JobRow;
import java.util.List;

/**
 * The jobs that a request is about.
 *
 * @param jobs in the order in which they were named
 * @param notes what the user should know of the choice, in words
 * @param next of a list, what {@code before} is for its next page; null without one
 */
public record SelectedJobs(List<Selected> jobs, List<String> notes, Long next) {

  /**
   * A job.
   *
   * @param task number of the one task that was named, or null for the whole job
   * @param arrayIndex its array index, null if the indices of its job are the tasks' numbers
   */
  public record Selected(JobRow row, Integer task, Integer arrayIndex) {

    /** A whole job. */
    static Selected whole(JobRow row) {
      return new Selected(row, null, null);
    }
  }
}
