package io.remuda.coordinator.cli.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.cli.job.OutputFollower;
import io.remuda.coordinator.cli.job.PrefixedOutput;
import io.remuda.coordinator.cli.job.ReturningServer;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestClient.OutputChunk;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.rest.output.OutputPosition;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.SortedSet;

/** Prints one stream of all tasks of a job: what there is, task by task, and then what follows. */
final class JobLogPrinter {

  private static final int PAGE = 1000;
  private static final int NOT_FOUND = 404;

  private final JsonNode job;
  private final OutputStreamName stream;
  private final Choice choice;
  private final PrefixedOutput out;
  private final PrintWriter err;
  private final OutputPosition printed = new OutputPosition();
  private int started;

  /** Whether what was printed is the output of all tasks, in one file. */
  private boolean shared;

  private boolean good = true;

  /**
   * Which output is wanted.
   *
   * @param tasks the numbers of its tasks; null for all
   */
  record Choice(LogPartOptions part, SortedSet<Integer> tasks) {

    private boolean has(int task) {
      return tasks == null || tasks.contains(task);
    }

    private int first() {
      return tasks == null ? 0 : tasks.first();
    }

    private int end(int all) {
      return tasks == null ? all : Math.min(all, tasks.last() + 1);
    }
  }

  /**
   * @param job as the server shows it
   * @param err gets what is wrong with single tasks
   */
  JobLogPrinter(
      JsonNode job, OutputStreamName stream, Choice choice, PrefixedOutput out, PrintWriter err) {
    this.job = job;
    this.stream = stream;
    this.choice = choice;
    this.out = out;
    this.err = err;
  }

  /** Prints what there is. */
  void print(RestClient server) throws IOException {
    Instant now = Instant.now();
    int end = choice.end(job.path("tasks").asInt());
    int first = choice.first();
    while (first < end) {
      String path =
          "/jobs/%s/tasks?limit=%d&first=%d&end=%d"
              .formatted(job.path("id").asText(), PAGE, first, end);
      JsonNode page = server.get(path).path("tasks");
      if (page.isEmpty()) {
        break;
      }
      first = page.get(page.size() - 1).path("index").asInt() + 1;
      for (JsonNode task : page) {
        boolean included =
            !shared && choice.has(task.path("index").asInt()) && choice.part().includes(task, now);
        if (included) {
          print(server, task);
        }
        if (!included || task.path("endedAt").isTextual()) {
          printed.done(task.path("index").asInt());
        }
      }
    }
    out.close();
  }

  /** Returns whether no output was missing so far. */
  boolean isGood() {
    return good;
  }

  /** Returns whether any task has begun. */
  boolean isBegun() {
    return started > 0;
  }

  private void print(RestClient server, JsonNode task) throws IOException {
    int attempt = task.path("attempt").asInt();
    boolean begun = task.path("startedAt").isTextual() || task.path("exitCode").isInt();
    if (!begun && attempt <= 1) {
      return; // it has not started
    }
    started++;
    TaskId id = TaskId.parse(task.path("id").asText());
    try {
      TaskLog log = new TaskLog(server::bytes, id, 0, stream);
      long offset = choice.part().start(log);
      while (true) {
        OutputChunk chunk = log.from(offset);
        if (chunk.dropped() > 0) {
          out.dropped(chunk.dropped(), id, stream);
        }
        out.show(id, stream, chunk.bytes(), 0);
        shared |= chunk.shared();
        offset = chunk.offset() + chunk.bytes().length;
        if (offset >= chunk.size()) {
          break;
        }
      }
      printed.shown(id.index(), attempt, stream, offset);
    } catch (RestFailureException no) {
      if (no.status() == RestFailureException.NO_SERVER) {
        throw no;
      } else if (no.status() != NOT_FOUND || begun) {
        err.println("remuda: task " + id + ": " + PrintableText.of(no.getMessage()));
        err.flush();
        good = false;
      }
    }
  }

  /** Prints what follows, until the job's end. */
  void follow(ReturningServer server) throws IOException, InterruptedException {
    new OutputFollower(job.path("id").asText(), new OfStream(), printed).follow(server);
    out.close();
  }

  /** Passes on the chosen stream. */
  private final class OfStream implements OutputFollower.Receiver {

    @Override
    public void show(TaskId task, OutputStreamName of, byte[] bytes, int from) {
      if (of == stream && choice.has(task.index())) {
        out.show(task, of, bytes, from);
      }
    }

    @Override
    public void dropped(long bytes, TaskId task, OutputStreamName of) {
      if (of == stream && choice.has(task.index())) {
        out.dropped(bytes, task, of);
      }
    }

    @Override
    public void missing(String why) {
      out.missing(why);
      good = false;
    }
  }
}
