package io.remuda.coordinator.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.util.Locale;

/**
 * Some of a job's tasks, each with its attempts.
 *
 * @param job as the server shows it with its progress
 * @param more whether the server has further ones of these
 */
public record FetchedJobTasks(JsonNode job, ArrayNode tasks, boolean more) {

  /** Tasks that are shown if no range is given. */
  private static final int USUAL = 100;

  private static final int PAGE = 5000;

  /** Which tasks are asked for. */
  public enum Kind {
    ANY(""),
    FAILED("&state=failed,lost");

    private final String query;

    Kind(String query) {
      this.query = query;
    }
  }

  /**
   * Reads tasks.
   *
   * @param range null for the first hundred; of those that failed, for all
   */
  public static FetchedJobTasks read(RestClient server, JsonNode job, Kind kind, TaskRange range)
      throws IOException {
    boolean all = range != null || kind == Kind.FAILED;
    TaskRange asked = range == null ? TaskRange.ALL : range;
    ArrayNode tasks = RestClient.JSON.createArrayNode();
    boolean more = true;
    while (more && (all || tasks.isEmpty())) {
      JsonNode page =
          server.get(
              "/jobs/"
                  + job.path("id").asText()
                  + "/tasks?attempts&limit="
                  + (all ? PAGE : USUAL)
                  + kind.query
                  + asked.query());
      page.path("tasks").forEach(tasks::add);
      more = page.path("next").isNumber();
      asked = new TaskRange(page.path("next").asInt(), asked.end());
    }
    return new FetchedJobTasks(job, tasks, more);
  }

  /** Returns what to say below the tasks of a list without a range; empty for nothing. */
  public String footer(Kind kind) {
    int all = job.path("tasks").asInt();
    if (kind == Kind.FAILED) {
      return tasks.isEmpty()
          ? "no task has failed"
          : number(tasks.size()) + " of " + number(all) + " tasks failed";
    }
    int others = all - tasks.size();
    int before = before();
    if (others <= 0) {
      return "";
    }
    if (!more && before == others) {
      return number(others) + (others == 1 ? " task has" : " tasks have") + " not started";
    }
    return "and "
        + number(others)
        + " more (--tasks all, --tasks "
        + tasks.size()
        + "-"
        + Math.min(all - 1, tasks.size() + USUAL - 1)
        + ", --failed)"
        + (before == 0
            ? ""
            : "; " + number(before) + (before == 1 ? " task has" : " tasks have") + " not started");
  }

  /** Returns the number of tasks that have not started. */
  private int before() {
    JsonNode counts = job.path("counts");
    return counts.path("submitted").asInt()
        + counts.path("held").asInt()
        + counts.path("waiting").asInt();
  }

  private static String number(int count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
