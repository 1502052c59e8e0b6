package io.remuda.coordinator.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/** How far the tasks of an array are, for users. */
public final class TaskCountText {

  private static final List<String> WITH_PLACE =
      List.of("starting", "running", "unknown", "stopping", "ending");

  private static final List<String> BEFORE = List.of("submitted", "held", "waiting");

  private TaskCountText() {}

  /**
   * Returns how many of a job's tasks are done, have failed, run and wait, as {@code 37/100 done, 2
   * failed, 4 running, 57 waiting}; nothing of those that wait if all of it does. A job with one
   * task, or whose counts the server has not said, has only the number of its tasks.
   */
  public static String of(JsonNode job) {
    int tasks = job.path("tasks").asInt();
    JsonNode counts = job.path("counts");
    if (tasks == 1 || !counts.isObject()) {
      return Integer.toString(tasks);
    }
    StringBuilder text = new StringBuilder();
    text.append(number(sum(counts, List.of("succeeded")))).append('/').append(number(tasks));
    text.append(" done");
    add(text, sum(counts, List.of("failed", "lost")), "failed");
    add(text, sum(counts, List.of("cancelled")), "cancelled");
    add(text, sum(counts, WITH_PLACE), "running");
    if (!BEFORE.contains(job.path("state").asText())) {
      add(text, sum(counts, BEFORE), "waiting");
    }
    return text.toString();
  }

  private static void add(StringBuilder text, int count, String what) {
    if (count > 0) {
      text.append(", ").append(number(count)).append(' ').append(what);
    }
  }

  private static String number(int count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static int sum(JsonNode counts, List<String> states) {
    return states.stream().mapToInt(state -> counts.path(state).asInt()).sum();
  }
}
