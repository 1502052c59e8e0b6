package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.api.CoordinatorCommand.WaitingCancelled;

/**
 * A job that was changed.
 *
 * @param ending number of its running tasks whose new time limit has passed already; only of new
 *     terms
 * @param cancelled number of its tasks that were cancelled before they started; only of such a
 *     request, as the next two
 * @param left number of its tasks that have not ended
 * @param next number of the task from which on to ask again, absent if all were looked at
 * @param arrayIndex of the one task that was changed, absent if the indices of its job are the
 *     tasks' numbers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChangedJobAnswer(
    long id, Integer ending, Integer cancelled, Integer left, Integer next, Integer arrayIndex) {

  /** New terms of a job. */
  public static ChangedJobAnswer ofTerms(long id, int ending) {
    return new ChangedJobAnswer(id, ending, null, null, null, null);
  }

  /** A job of which tasks are cancelled that have not started. */
  public static ChangedJobAnswer of(WaitingCancelled done) {
    return new ChangedJobAnswer(
        done.job().value(), null, done.cancelled(), done.left(), done.next(), null);
  }

  /**
   * A job, or one task of it, that is to do something else.
   *
   * @param arrayIndex null for a whole job
   */
  public static ChangedJobAnswer of(long id, Integer arrayIndex) {
    return new ChangedJobAnswer(id, null, null, null, null, arrayIndex);
  }
}
