package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.remuda.coordinator.api.Explanation;
import io.remuda.coordinator.api.HoldersAndForecastText;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import java.time.Instant;
import java.time.ZonedDateTime;
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
 * @param unended tasks that are unknown, or do not end, or do not start for long
 * @param holders jobs that hold what is missing
 * @param turn its place in the order of the waiting jobs, from 1; absent if no task of it waits for
 *     a place and may have one now
 * @param start when it may start, whose fields are these; null if that is not known
 * @param intervalsHeld how good such intervals were lately; absent without one
 * @param text all of it in words, a line each
 */
public record ExplanationAnswer(
    long id,
    String state,
    Map<String, Integer> counts,
    @JsonInclude(JsonInclude.Include.NON_NULL) NeedsAnswer needs,
    List<WaitReason> reasons,
    List<Unended> unended,
    List<Holder> holders,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer turn,
    @JsonUnwrapped ExpectedStartAnswer start,
    @JsonInclude(JsonInclude.Include.NON_NULL) IntervalsHeld intervalsHeld,
    List<String> text) {

  private static final double MILLI = 1000;

  /** Why a task is unknown, or does not end, or does not start. */
  public record Unended(String task, String cause) {}

  /**
   * How many of the intervals of the last 30 days have held.
   *
   * @param shown of jobs that have started, each job as it was shown at several times
   */
  public record IntervalsHeld(int shown, int held) {
    private static IntervalsHeld of(JobForecast forecast) {
      return forecast == null || forecast.interval() == null
          ? null
          : new IntervalsHeld(forecast.interval().shown(), forecast.interval().held());
    }
  }

  /**
   * A job that has tasks on a node where the job might start.
   *
   * @param cpus cores that its tasks hold there
   * @param until time of the last of its time limits there; absent if one has none
   */
  public record Holder(
      String node,
      long job,
      String name,
      String user,
      int tasks,
      double cpus,
      long memory,
      int gpus,
      @JsonInclude(JsonInclude.Include.NON_NULL) String until) {

    private static Holder of(Explanation.Holder holder, Instant now) {
      return new Holder(
          holder.node(),
          holder.job().value(),
          holder.name(),
          holder.user(),
          holder.tasks(),
          holder.milliCpus() / MILLI,
          holder.memory(),
          holder.gpus(),
          holder.leftMillis() == null ? null : now.plusMillis(holder.leftMillis()).toString());
    }
  }

  /**
   * @param now with the zone in which texts have times
   */
  public static ExplanationAnswer of(Explanation explanation, ZonedDateTime now) {
    List<Unended> unended = new ArrayList<>();
    List<String> text = new ArrayList<>(WaitText.lines(explanation.reasons()));
    text.addAll(HoldersAndForecastText.of(explanation, now));
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
        explanation.holders().stream().map(one -> Holder.of(one, now.toInstant())).toList(),
        explanation.forecast() == null ? null : explanation.forecast().turn(),
        ExpectedStartAnswer.of(explanation.forecast(), explanation.reasons(), now.toInstant()),
        IntervalsHeld.of(explanation.forecast()),
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
        List.of(),
        null,
        null,
        null,
        row.reason() == null ? List.of() : List.of(row.reason()));
  }

  /** Returns numbers by the labels of the states, in their order. */
  static Map<String, Integer> counts(Map<TaskState, Integer> counts) {
    Map<String, Integer> byLabel = new LinkedHashMap<>();
    counts.forEach((state, count) -> byLabel.put(state.label(), count));
    return byLabel;
  }
}
