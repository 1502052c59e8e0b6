package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a job's tasks wait.
 *
 * @param counts number of tasks by state
 * @param needs of each task; absent once the job is over
 * @param reasons why its first waiting task waits, node by node
 * @param unended tasks that are unknown or do not end
 * @param text all of it in words, a line each
 */
public record ExplanationAnswer(
    long id,
    String state,
    Map<String, Integer> counts,
    @JsonInclude(JsonInclude.Include.NON_NULL) NeedsAnswer needs,
    List<WaitReason> reasons,
    List<Unended> unended,
    List<String> text) {

  /** Why a task is unknown or does not end. */
  public record Unended(String task, String cause) {}

  public static ExplanationAnswer of(Explanation explanation) {
    List<Unended> unended = new ArrayList<>();
    List<String> text = new ArrayList<>(WaitText.lines(explanation.reasons()));
    explanation
        .unended()
        .forEach(
            (task, why) -> {
              unended.add(new Unended(task.toString(), why));
              text.add("task " + task + ": " + why);
            });
    return new ExplanationAnswer(
        explanation.job().value(),
        explanation.state().label(),
        counts(explanation.counts()),
        NeedsAnswer.of(explanation.needs()),
        explanation.reasons(),
        unended,
        text);
  }

  /** Returns what is to be said of a job that is over. */
  public static ExplanationAnswer over(JobRow row) {
    return new ExplanationAnswer(
        row.id().value(),
        row.state().label(),
        Map.of(),
        null,
        List.of(),
        List.of(),
        row.reason() == null ? List.of() : List.of(row.reason()));
  }

  /** Returns numbers by the labels of the states, in their order. */
  static Map<String, Integer> counts(Map<TaskState, Integer> counts) {
    Map<String, Integer> byLabel = new LinkedHashMap<>();
    counts.forEach((state, count) -> byLabel.put(state.label(), count));
    return byLabel;
  }
}
