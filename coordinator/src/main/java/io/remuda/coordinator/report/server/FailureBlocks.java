package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.report.ReportBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tasks that failed, with the last lines that they printed. */
final class FailureBlocks {

  private static final int MOST_LINES = 20;
  private static final int MOST_CHARACTERS = 4000;

  private final OutputTails tails;

  FailureBlocks(OutputTails tails) {
    this.tails = tails;
  }

  /**
   * Returns the failures of jobs.
   *
   * @param most so many at most; further ones are counted
   */
  List<ReportBlock> of(List<ReportedJob> jobs, int most) {
    List<ReportBlock> blocks = new ArrayList<>();
    long failed = 0;
    for (ReportedJob job : jobs) {
      failed += job.sums().failed();
      for (JsonNode task : job.sums().failures()) {
        if (blocks.size() < most) {
          blocks.add(failure(job, task));
        }
      }
    }
    if (failed > blocks.size()) {
      blocks.add(
          new ReportBlock.Words(
              "and " + (failed - blocks.size()) + " more: remuda state --state failed"));
    }
    return blocks;
  }

  private ReportBlock failure(ReportedJob job, JsonNode task) {
    String signal = JobTables.text(task.path("signal"));
    String exit = JobTables.text(task.path("exitCode"));
    String cause = JobTables.text(task.path("cause"));
    String caption =
        "Task "
            + task.path("id").asText()
            + " ("
            + job.job().path("name").asText()
            + ", "
            + job.job().path("user").asText()
            + ") "
            + task.path("state").asText()
            + (signal.isEmpty() ? exit.isEmpty() ? "" : ", exit " + exit : ", signal " + signal)
            + (cause.isEmpty() ? "" : ": " + cause);
    return new ReportBlock.Output(caption, lines(job.id(), task.path("index").asInt()));
  }

  private String lines(long job, int task) {
    try {
      String err = last(tails.tail(job, task, "err"));
      String out = err.isEmpty() ? last(tails.tail(job, task, "out")) : "";
      String lines = err.isEmpty() ? out : err;
      return lines.isEmpty() ? "(it printed nothing)" : lines;
    } catch (IOException no) {
      return "(its output is not here: " + no.getMessage() + ")";
    }
  }

  /** Returns the last lines of a text, at most so many characters. */
  static String last(String text) {
    String end = text.stripTrailing();
    int from = end.length();
    for (int lines = 0; lines < MOST_LINES && from >= 0; lines++) {
      from = end.lastIndexOf('\n', from - 1);
    }
    int first = Math.max(from + 1, end.length() - MOST_CHARACTERS);
    return (first > 0 ? "…\n" : "") + end.substring(first);
  }
}
