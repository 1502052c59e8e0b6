package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Set;

/**
 * A job that a command is about.
 *
 * @param task number of the one task that was named, or null for the whole job
 * @param job as the server shows it in a list; null if the number alone is known
 */
public record ChosenJob(long id, Integer task, JsonNode job) {

  /** Returns its path below {@code /api/v1}, or that of its task. */
  public String path() {
    return "/jobs/" + id + (task == null ? "" : "/tasks/" + task);
  }

  /** Returns whether only a number is known, which a job or a task may have. */
  boolean isNumberAlone() {
    return task == null && job == null;
  }

  /** Returns {@code job 5} or {@code task 5.2 (index 3)}. */
  public String words() {
    return words(job == null ? MissingNode.getInstance() : job);
  }

  /**
   * As {@link #words()}.
   *
   * @param answer of the server, which names the array index of the task if it is another number
   */
  public String words(JsonNode answer) {
    return task == null ? "job " + id : "task " + id + "." + task + index(answer);
  }

  /** Returns {@code (index 3)} for a task whose array index is another number than its own. */
  public static String index(JsonNode task) {
    JsonNode index = task.path("arrayIndex");
    return index.isInt() ? " (index " + index.asInt() + ")" : "";
  }

  /**
   * Returns the number of its tasks in these states; 0 if that was not asked for.
   *
   * @param states by their labels
   */
  public int count(Set<String> states) {
    if (job == null) {
      return 0;
    }
    int all = states.stream().mapToInt(state -> job.path("counts").path(state).asInt()).sum();
    return task == null ? all : Math.min(1, all);
  }
}
