package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What became of a signal.
 *
 * @param signal its name, without {@code SIG}
 * @param tasks that ran when it was sent
 */
public record SignalAnswer(String signal, List<Told> tasks) {
  public SignalAnswer {
    tasks = List.copyOf(tasks);
  }

  /**
   * A task that was to get it.
   *
   * @param task as {@code JOB.INDEX}
   * @param arrayIndex its array index, absent if the indices of its job are the tasks' numbers
   * @param fault why it did not get it; absent if it did
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Told(String task, Integer arrayIndex, String fault) {}
}
