package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A job that a command is about.
 *
 * @param task index of the one task that was named, or null for the whole job
 * @param job as the server shows it in a list; null if the number alone is known
 */
public record ChosenJob(long id, Integer task, JsonNode job) {

  /** Returns its path below {@code /api/v1}, or that of its task. */
  public String path() {
    return "/jobs/" + id + (task == null ? "" : "/tasks/" + task);
  }

  /** Returns {@code job 5} or {@code task 5.2}. */
  public String words() {
    return task == null ? "job " + id : "task " + id + "." + task;
  }

  /** Returns the number of its tasks that have not ended; 0 if that was not asked for. */
  public int unfinished() {
    if (job == null) {
      return 0;
    }
    int unfinished = 0;
    for (var count : job.path("counts").properties()) {
      unfinished += FinalStates.include(count.getKey()) ? 0 : count.getValue().asInt();
    }
    return task == null ? unfinished : Math.min(1, unfinished);
  }
}
