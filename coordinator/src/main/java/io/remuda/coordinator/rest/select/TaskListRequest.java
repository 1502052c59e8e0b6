package io.remuda.coordinator.rest.select;

import io.remuda.coordinator.rest.query.QueryParameters;
import io.remuda.coordinator.store.query.TaskQuery;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The query part of a request for tasks of a job.
 *
 * @param attempts whether the answer has the earlier attempts, too
 */
public record TaskListRequest(TaskQuery query, boolean attempts) {

  /**
   * Reads the parameters of a request.
   *
   * @throws IllegalArgumentException if one of them is wrong
   */
  public static TaskListRequest of(JobId job, Map<String, List<String>> parameters) {
    int first = QueryParameters.index(one(parameters, "first"));
    int end = QueryParameters.index(one(parameters, "end"));
    if (end != 0 && end <= first) {
      throw new IllegalArgumentException("end must be above first, got " + end);
    }
    return new TaskListRequest(
        new TaskQuery(
            job,
            first,
            end,
            JobListRequest.states(parameters.getOrDefault("state", List.of())),
            QueryParameters.rows(one(parameters, "limit"))),
        parameters.containsKey("attempts"));
  }

  private static Optional<String> one(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of()).stream().findFirst();
  }
}
