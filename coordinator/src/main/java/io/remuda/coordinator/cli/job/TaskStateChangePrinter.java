package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.thread.DaemonThread;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;

/** Says each change of state of a job's tasks, one line each; of a large job those of the job. */
final class TaskStateChangePrinter {

  /** Up to this number of tasks each is named. */
  static final int MOST_NAMED = 64;

  private static final long LOOK_MILLIS = 500;

  /** A way to read from the server. */
  interface Reader {
    JsonNode get(String path) throws IOException, InterruptedException;
  }

  private final String id;
  private final TaskNames names;
  private final int tasks;
  private final PrintWriter err;
  private final Map<Integer, String> said = new HashMap<>();
  private String saidOfAll = "";

  TaskStateChangePrinter(String id, TaskNames names, int tasks, PrintWriter err) {
    this.id = id;
    this.names = names;
    this.tasks = tasks;
    this.err = err;
  }

  /** Starts a daemon thread that looks twice a second, until it is interrupted. */
  Thread start(ReturningServer server) {
    Thread thread = DaemonThread.start("member-states", () -> watch(server));
    return thread;
  }

  private void watch(ReturningServer server) {
    try {
      while (true) {
        try {
          look(path -> server.current().get(path));
        } catch (IOException awayForNow) {
          // the next look may succeed
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says what has changed since the last look. */
  synchronized void look(Reader server) throws IOException, InterruptedException {
    if (tasks > MOST_NAMED) {
      sayOfAll(server.get("/jobs/" + id).path("state").asText());
      return;
    }
    for (JsonNode task : server.get("/jobs/" + id + "/tasks?limit=" + MOST_NAMED).path("tasks")) {
      TaskId one = TaskId.parse(task.path("id").asText());
      String state = task.path("state").asText() + where(task);
      if (!state.equals(said.put(one.index(), state)) && !state.equals("submitted")) {
        err.println("remuda: " + names.prefix(one) + PrintableText.of(state));
      }
    }
    err.flush();
  }

  private static String where(JsonNode task) {
    String state = task.path("state").asText();
    if (state.equals("failed") || state.equals("lost")) {
      return ": " + task.path("cause").asText();
    }
    boolean runs = state.equals("running") || state.equals("starting");
    return runs ? " on " + task.path("node").asText() : "";
  }

  private void sayOfAll(String state) {
    if (!state.equals(saidOfAll)) {
      saidOfAll = state;
      err.println("remuda: job " + id + " " + PrintableText.of(state));
      err.flush();
    }
  }
}
