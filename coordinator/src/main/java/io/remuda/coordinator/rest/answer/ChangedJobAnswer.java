package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A job that was changed.
 *
 * @param ending number of its running tasks whose new time limit has passed already; only of new
 *     terms
 */
public record ChangedJobAnswer(long id, @JsonInclude(JsonInclude.Include.NON_NULL) Integer ending) {

  public ChangedJobAnswer(long id) {
    this(id, null);
  }
}
