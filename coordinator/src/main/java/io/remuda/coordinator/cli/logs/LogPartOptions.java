package io.remuda.coordinator.cli.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.worker.job.SizeAndTimeParser;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that choose a part of the output. */
final class LogPartOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--tail"},
      paramLabel = "LINES",
      description = "only the last lines of each task")
  private Integer tail;

  @Option(
      names = "--since",
      paramLabel = "D",
      description = "only tasks that run, or ended in the last D, such as 10m or 2h")
  private String since;

  /**
   * Checks the values.
   *
   * @throws ParameterException if one is wrong
   */
  void check() {
    if (tail != null && tail < 0) {
      throw new ParameterException(
          spec.commandLine(), "--tail must be 0 or more lines, got " + tail);
    }
    if (since != null) {
      span();
    }
  }

  private Duration span() {
    try {
      return SizeAndTimeParser.time(since);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--since: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns whether all output is wanted. */
  boolean isWhole() {
    return tail == null && since == null;
  }

  /** Returns whether a task, as the server shows it, is recent enough. */
  boolean includes(JsonNode task, Instant now) {
    JsonNode ended = task.path("endedAt");
    return since == null
        || !ended.isTextual()
        || !Instant.parse(ended.asText()).isBefore(now.minus(span()));
  }

  /** Returns the offset from which a task's output is printed. */
  long start(TaskLog log) throws java.io.IOException {
    return tail == null ? 0 : log.startOfLastLines(tail);
  }
}
