package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.lifecycle.StateWords;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.store.query.JobQuery;
import io.remuda.coordinator.store.query.JobQuery.JobFilter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The query part of a request for jobs.
 *
 * @param selectors the jobs that the user has named; empty for a list of all
 * @param query with the filters; without {@code all} it is for jobs that have not ended
 * @param progress whether the answer says how far each job is
 * @param terms whether it says what each job asked for
 * @param peak whether it says how much memory the tasks of each job had
 */
public record JobListRequest(
    List<JobSelectionExpression> selectors,
    JobQuery query,
    boolean progress,
    boolean terms,
    boolean peak) {

  /** Most jobs that one request may name. */
  static final int MOST_NAMED = 10_000;

  /**
   * Reads the parameters of a request.
   *
   * @throws IllegalArgumentException if one of them is wrong
   */
  public static JobListRequest of(Map<String, List<String>> parameters) {
    List<JobSelectionExpression> selectors = new ArrayList<>();
    for (String text : parameters.getOrDefault("select", List.of())) {
      selectors.addAll(JobSelectionExpression.read(text));
    }
    if (selectors.size() > MOST_NAMED) {
      throw new IllegalArgumentException("select names more than " + MOST_NAMED + " jobs");
    }
    Set<TaskState> states = states(parameters.getOrDefault("state", List.of()));
    boolean ended =
        parameters.containsKey("all")
            || parameters.containsKey("endedSince")
            || states.stream().anyMatch(TaskState::isFinal);
    return new JobListRequest(
        selectors,
        new JobQuery(
            ended ? JobFilter.ALL : JobFilter.LIVE,
            one(parameters, "user").orElse(null),
            0,
            QueryParameters.number(one(parameters, "before"), 0),
            parameters.getOrDefault("name", List.of()),
            states,
            labels(parameters.getOrDefault("label", List.of())),
            time(parameters, "since"),
            time(parameters, "endedSince"),
            QueryParameters.rows(one(parameters, "limit"))),
        parameters.containsKey("progress"),
        parameters.containsKey("terms"),
        parameters.containsKey("peak"));
  }

  private static Optional<String> one(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of()).stream().findFirst();
  }

  static Set<TaskState> states(List<String> lists) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (String list : lists) {
      for (String word : list.split(",", -1)) {
        states.addAll(states(word.trim()));
      }
    }
    return states;
  }

  private static Set<TaskState> states(String word) {
    return StateWords.states(word)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no state of a job is called "
                        + ShortenedValues.quoted(word)
                        + ": there are "
                        + StateWords.labels()
                        + "; "
                        + StateWords.PENDING));
  }

  private static Map<String, String> labels(List<String> pairs) {
    Map<String, String> labels = new TreeMap<>();
    for (String pair : pairs) {
      int sign = pair.indexOf('=');
      if (sign < 1) {
        throw new IllegalArgumentException(
            "a label is written K=V, got " + ShortenedValues.quoted(pair));
      }
      labels.put(pair.substring(0, sign), pair.substring(sign + 1));
    }
    return labels;
  }

  private static long time(Map<String, List<String>> parameters, String name) {
    Optional<String> time = one(parameters, name);
    try {
      return time.isEmpty() ? 0 : Instant.parse(time.get()).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException other) {
      throw new IllegalArgumentException(
          name
              + " is a time such as 2026-11-24T08:00:00Z, got "
              + ShortenedValues.quoted(time.get()));
    }
  }
}
