package io.remuda.coordinator.cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.CountedQuantityText;
import io.remuda.coordinator.cli.show.NeedsText;
import io.remuda.coordinator.cli.sweep.SweepText;
import io.remuda.coordinator.client.ShellQuoting;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.ArrayList;
import java.util.List;

/** What a submission would have been, for users. */
public final class DryRunLines {

  /** Jobs whose command lines are printed. */
  private static final int MOST_JOBS = 10;

  private DryRunLines() {}

  /**
   * Returns the lines.
   *
   * @param planned the jobs as the server understood them; missing from one of an earlier build
   */
  public static List<String> of(JsonNode planned) {
    List<String> lines = new ArrayList<>();
    lines.add("the server accepts this; nothing was submitted");
    if (!planned.isArray()) {
      return lines;
    }
    long tasks = 0;
    for (JsonNode job : planned) {
      tasks += job.path("tasks").asInt();
    }
    lines.add(
        CountedQuantityText.counted(planned.size(), "job")
            + " with "
            + CountedQuantityText.counted(tasks, "task"));
    for (int i = 0; i < Math.min(planned.size(), MOST_JOBS); i++) {
      addJob(lines, planned.get(i));
    }
    if (planned.size() > MOST_JOBS) {
      lines.add("... and " + CountedQuantityText.counted(planned.size() - MOST_JOBS, "more job"));
    }
    return lines;
  }

  private static void addJob(List<String> lines, JsonNode job) {
    int tasks = job.path("tasks").asInt();
    JsonNode commands = job.path("commands");
    lines.add(
        PrintableText.of(job.path("name").asText())
            + ": "
            + CountedQuantityText.counted(tasks, "task")
            + indices(job)
            + (job.has("needs") ? (tasks == 1 ? " with " : ", each with ") + asked(job) : ""));
    for (JsonNode command : commands) {
      lines.add("  " + PrintableText.of(line(command)));
    }
    if (job.path("sweep").asBoolean() && tasks > commands.size()) {
      lines.add("  ... and " + CountedQuantityText.of(tasks - commands.size()) + " more");
    }
  }

  private static String indices(JsonNode job) {
    String indices = job.path("indices").asText("");
    boolean one = job.path("tasks").asInt() == 1;
    return indices.isEmpty()
        ? ""
        : (one ? " of array index " : " of array indices ") + SweepText.shortened(indices);
  }

  private static String asked(JsonNode job) {
    long limit = job.path("timeLimitMillis").asLong();
    return NeedsText.of(job.path("needs"), 0)
        + (limit == 0 ? "" : ", at most " + SizeAndTimeParser.words(limit));
  }

  private static String line(JsonNode command) {
    List<String> words = new ArrayList<>();
    command.forEach(word -> words.add(ShellQuoting.quoted(word.asText())));
    return String.join(" ", words);
  }
}
