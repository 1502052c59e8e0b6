package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.job.TaskNames.Beside;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shows the output and the states of jobs until they have ended, of several jobs at once. */
final class SubmittedJobsFollower {

  /** Jobs that are shown at once; of the others all is shown later, in their order. */
  static final int MOST_AT_ONCE = 16;

  /** What is printed besides the output. */
  enum States {
    SHOWN,
    HIDDEN
  }

  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  private final ReturningServer server;
  private final PrintStream out;
  private final PrintStream errOfTasks;
  private final PrintWriter err;
  private final States states;

  /**
   * @param out gets what tasks write to stdout
   * @param errOfTasks gets what they write to stderr
   * @param err gets the states
   */
  SubmittedJobsFollower(
      ReturningServer server,
      PrintStream out,
      PrintStream errOfTasks,
      PrintWriter err,
      States states) {
    this.server = server;
    this.out = out;
    this.errOfTasks = errOfTasks;
    this.err = err;
    this.states = states;
  }

  /**
   * Shows jobs to their ends. Returns 0 if all have succeeded, the exit code of a single job that
   * has failed with one, as {@code sbatch --wait} does, and else 1.
   */
  int exitCode(List<String> ids) throws IOException, InterruptedException {
    Beside beside = ids.size() > 1 ? Beside.OTHER_JOBS : Beside.NOTHING;
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(MOST_AT_ONCE, ids.size())),
            work -> DaemonThread.of("submitted-job", work));
    try {
      List<Future<JsonNode>> ends = new ArrayList<>();
      ids.forEach(id -> ends.add(threads.submit(() -> end(id, beside))));
      int code = SUCCESS;
      for (Future<JsonNode> end : ends) {
        int own = exitCode(end.get());
        code = own == SUCCESS || ids.size() == 1 ? Math.max(code, own) : FAILURE;
      }
      return code;
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException(fault.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static int exitCode(JsonNode end) {
    if (end.path("state").asText().equals("succeeded")) {
      return SUCCESS;
    }
    int code = end.path("exitCode").asInt();
    boolean failed = end.path("state").asText().equals("failed");
    return failed && code != 0 ? code : FAILURE;
  }

  private JsonNode end(String id, Beside beside) throws IOException, InterruptedException {
    JsonNode job = server.get("/jobs/" + id);
    TaskNames names = new TaskNames(job, beside);
    TaskStateChangePrinter members =
        new TaskStateChangePrinter(id, names, job.path("tasks").asInt(), err);
    PrefixedOutput output = new PrefixedOutput(names, out, errOfTasks);
    Thread watch = states == States.HIDDEN ? null : members.start(server);
    JsonNode end = new OutputFollower(id, output).follow(server);
    output.close();
    if (watch != null) {
      watch.interrupt();
      members.look(server::get);
      sayEnd(id, end);
    }
    return end;
  }

  private void sayEnd(String id, JsonNode end) {
    JsonNode reason = end.path("reason");
    String why = reason.isTextual() ? ": " + PrintableText.of(reason.asText()) : "";
    err.println("job " + id + " " + end.path("state").asText() + why);
    err.flush();
  }
}
