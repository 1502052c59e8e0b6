package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Prints the output of a task, byte for byte. */
@Command(name = "logs", description = "Prints what a task wrote to stdout, or to stderr.")
public final class LogsCommand extends RestCommand {

  private static final long PAUSE_MILLIS = 200;

  @Parameters(paramLabel = "JOB[.TASK[.ATTEMPT]]")
  private String target;

  @Option(
      names = {"-f", "--follow"},
      description = "continue until the task ends")
  private boolean follow;

  @Option(names = "--err", description = "print stderr instead of stdout")
  private boolean err;

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    if (!target.matches("[1-9]\\d{0,17}(\\.\\d{1,7}(\\.\\d{1,7})?)?")) {
      throw new ParameterException(
          spec.commandLine(), "give JOB, JOB.TASK or JOB.TASK.ATTEMPT, got '" + target + "'");
    }
    String[] parts = target.split("\\.");
    String task = parts.length > 1 ? parts[1] : "0";
    String attempt = parts.length > 2 ? parts[2] : "0";
    String path =
        "/jobs/"
            + parts[0]
            + "/logs?stream="
            + (err ? "err" : "out")
            + "&task="
            + task
            + "&attempt="
            + attempt
            + "&offset=";
    if (parts.length == 1 && !quiet) {
      noteOthers(server, parts[0]);
    }
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out));
    long offset = 0;
    RetryWhileAway retryWhileAway = new RetryWhileAway(err());
    while (true) {
      boolean ended = !follow || retryWhileAway.ask(() -> isOver(server, parts[0], task));
      String next = path + offset;
      RestClient.OutputChunk part = retryWhileAway.ask(() -> server.bytes(next));
      sayDropped(part.dropped(), parts[0] + "." + task + (err ? "'s stderr" : "'s stdout"));
      out.write(part.bytes(), 0, part.bytes().length);
      out.flush();
      offset = part.offset() + part.bytes().length;
      if (offset >= part.size()) {
        if (ended) {
          return OK;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private void noteOthers(RestClient server, String job) throws IOException {
    int tasks = server.get("/jobs/" + job).path("tasks").asInt();
    if (tasks > 1) {
      err()
          .printf(
              "remuda: this is task %s.0 of %d; give JOB.TASK for another, up to %s.%d%n",
              job, tasks, job, tasks - 1);
      err().flush();
    }
  }

  private static boolean isOver(RestClient server, String job, String task) throws IOException {
    JsonNode tasks = server.get("/jobs/" + job + "/tasks?limit=1&first=" + task).path("tasks");
    return !tasks.isEmpty() && tasks.get(0).path("endedAt").isTextual();
  }
}
