package io.remuda.coordinator.cli.channel;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.FinalStates;
import io.remuda.coordinator.cli.select.JobFinder;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;

/**
 * The one task that a command is about.
 *
 * @param node on which it runs; null if it has none
 * @param index its array index in words, empty if that is its number
 */
record ChosenTask(TaskId id, String state, String node, String index) {

  private static final int CONFLICT = 409;

  /**
   * Returns the task that a selector means.
   *
   * @throws RestFailureException if it means several tasks
   */
  static TaskId find(RestClient server, String selector) throws IOException {
    ChosenJob chosen = JobFinder.one(server, selector);
    return NumberedTask.ask(server, chosen, one -> find(server, one));
  }

  private static TaskId find(RestClient server, ChosenJob chosen) throws IOException {
    JobId job = new JobId(chosen.id());
    if (chosen.task() != null) {
      return new TaskId(job, chosen.task());
    }
    int tasks = server.get("/jobs/" + job).path("tasks").asInt(1);
    if (tasks > 1) {
      throw new RestFailureException(
          CONFLICT, "job " + job + " has " + tasks + " tasks: name one, such as " + job + ".0");
    }
    return new TaskId(job, 0);
  }

  /** Asks how a task is. */
  static ChosenTask look(RestClient server, TaskId id) throws IOException {
    JsonNode tasks =
        server
            .get("/jobs/" + id.job() + "/tasks?first=" + id.index() + "&end=" + (id.index() + 1))
            .path("tasks");
    if (tasks.isEmpty()) {
      int all = server.get("/jobs/" + id.job()).path("tasks").asInt(1);
      if (id.index() >= all) {
        throw new RestFailureException(
            404, "there is no task " + id + ": job " + id.job() + " has " + all);
      }
      return new ChosenTask(id, "waiting", null, "");
    }
    JsonNode task = tasks.get(0);
    return new ChosenTask(
        id, task.path("state").asText(), task.path("node").asText(null), ChosenJob.index(task));
  }

  /**
   * Checks that it runs.
   *
   * @throws RestFailureException if it does not
   */
  void requireRunning() throws RestFailureException {
    if (isOver()) {
      throw new RestFailureException(CONFLICT, words() + " has ended: it is " + state);
    }
    if (node != null && state.equals("unknown")) {
      throw new RestFailureException(
          CONFLICT, words() + " cannot be reached: its node does not answer");
    }
    if (node == null || !state.equals("running")) {
      throw new RestFailureException(
          CONFLICT,
          words() + " does not run yet: it is " + state + " (remuda explain " + id.job() + ")");
    }
  }

  /** Returns {@code task 5.2 (index 3)}. */
  String words() {
    return "task " + id + index;
  }

  boolean isOver() {
    return FinalStates.include(state);
  }
}
