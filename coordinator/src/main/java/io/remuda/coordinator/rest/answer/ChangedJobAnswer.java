package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A job that was changed.
 *
 * @param ending number of its running tasks whose new time limit has passed already; only of new
 *     terms
 * @param arrayIndex of the one task that was changed, absent if the indices of its job are the
 *     tasks' numbers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChangedJobAnswer(long id, Integer ending, Integer arrayIndex) {

  /** New terms of a job. */
  public static ChangedJobAnswer ofTerms(long id, int ending) {
    return new ChangedJobAnswer(id, ending, null);
  }

  /**
   * A job, or one task of it, that is to do something else.
   *
   * @param arrayIndex null for a whole job
   */
  public static ChangedJobAnswer of(long id, Integer arrayIndex) {
    return new ChangedJobAnswer(id, null, arrayIndex);
  }
}
