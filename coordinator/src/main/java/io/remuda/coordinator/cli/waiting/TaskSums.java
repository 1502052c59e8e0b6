package io.remuda.coordinator.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * The tasks of several jobs.
 *
 * @param failed with those that were lost or cancelled
 */
public record TaskSums(int all, int succeeded, int failed, int running) {

  static final TaskSums NONE = new TaskSums(0, 0, 0, 0);

  TaskSums plus(JsonNode job) {
    JsonNode counts = job.path("counts");
    if (!counts.isObject()) { // one task, or a server that counts nothing
      int tasks = job.path("tasks").asInt(1);
      return plus(tasks, job.path("state").asText());
    }
    return new TaskSums(
        all + job.path("tasks").asInt(1),
        succeeded + sum(counts, List.of("succeeded")),
        failed + sum(counts, List.of("failed", "lost", "cancelled")),
        running + sum(counts, List.of("starting", "running", "unknown", "stopping", "ending")));
  }

  private TaskSums plus(int tasks, String state) {
    boolean failure = List.of("failed", "lost", "cancelled").contains(state);
    return new TaskSums(
        all + tasks,
        succeeded + (state.equals("succeeded") ? tasks : 0),
        failed + (failure ? tasks : 0),
        running + (state.equals("running") ? tasks : 0));
  }

  private static int sum(JsonNode counts, List<String> states) {
    return states.stream().mapToInt(state -> counts.path(state).asInt()).sum();
  }

  int ended() {
    return succeeded + failed;
  }
}
