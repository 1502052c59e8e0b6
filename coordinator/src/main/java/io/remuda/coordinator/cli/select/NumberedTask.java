package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.util.Optional;

/**
 * Tasks that have numbers of their own among those of jobs, as those of arrays from scripts for
 * sbatch have. What a number is, is asked only once there is no job of it, so that a job costs no
 * further request.
 */
public final class NumberedTask {

  private static final int NONE = 404;

  private NumberedTask() {}

  /** A request about a job, or a task. */
  public interface Request<T> {
    T of(ChosenJob job) throws IOException;
  }

  /**
   * Asks for a job, or, if there is none of its number, for the task that has it.
   *
   * @throws RestFailureException if the server refuses that, or there is neither
   */
  public static <T> T ask(RestClient server, ChosenJob one, Request<T> request) throws IOException {
    try {
      return request.of(one);
    } catch (RestFailureException no) {
      return request.of(find(server, one, no));
    }
  }

  /**
   * Returns the task that has a number.
   *
   * @param no why there is no job of the number; thrown if no task has it either, or it is another
   *     refusal
   */
  public static ChosenJob find(RestClient server, ChosenJob one, RestFailureException no)
      throws RestFailureException {
    Optional<ChosenJob> task =
        no.status() == NONE && one.isNumberAlone() ? find(server, one.id()) : Optional.empty();
    return task.orElseThrow(() -> no);
  }

  private static Optional<ChosenJob> find(RestClient server, long number) {
    try {
      JsonNode answer = server.get("/jobs?limit=1&all&select=" + number);
      return of(answer.path("jobs").path(0)).filter(found -> numberOf(found) == number);
    } catch (IOException noAnswer) {
      return Optional.empty(); // what the server said of the number itself is told
    }
  }

  /** Returns the task that an item of a list is, empty for a job. */
  private static Optional<ChosenJob> of(JsonNode job) {
    return job.path("task").isNumber()
        ? Optional.of(new ChosenJob(job.path("id").asLong(), job.path("task").asInt(), job))
        : Optional.empty();
  }

  /** Returns the number that a task has, if its job's tasks have numbers. */
  public static long numberOf(ChosenJob task) {
    return task.id() + 1 + task.task();
  }

  /**
   * Returns what to say to a command that takes whole jobs.
   *
   * @param selector what the user has written
   */
  public static String wholeJobs(String command, String selector, ChosenJob task) {
    String index = ChosenJob.index(task.job() == null ? RestClient.JSON.nullNode() : task.job());
    return "%s accepts only whole jobs, and '%s' is task %d.%d%s of job %d: name the job"
        .formatted(
            command,
            selector,
            task.id(),
            task.task(),
            index.replace("(index ", "(array index "),
            task.id());
  }
}
