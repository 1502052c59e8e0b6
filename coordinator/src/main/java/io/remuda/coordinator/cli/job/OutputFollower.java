package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.output.OutputFile.OutputSlice;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.client.EventReader;
import io.remuda.coordinator.client.LocalOutputFile;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.rest.output.OutputPosition;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;

/** Follows the output of all attempts of a job's tasks, over broken connections, each byte once. */
public final class OutputFollower {

  /** A receiver of output. */
  public interface Receiver {
    /** Gets the next bytes of a task's stream. */
    void show(TaskId task, OutputStreamName stream, byte[] bytes, int from);

    /** Hears that bytes of a task's stream are no longer kept. */
    void dropped(long bytes, TaskId task, OutputStreamName stream);

    /** Hears that output has not come, and why; the job has ended. */
    void missing(String why);
  }

  private final String id;
  private final Receiver receiver;
  private final OutputPosition shown;
  private String machine = LocalOutputFile.query();
  private boolean answered; // the newest try

  OutputFollower(String id, Receiver receiver) {
    this(id, receiver, new OutputPosition());
  }

  /**
   * @param shown what the receiver has already
   */
  public OutputFollower(String id, Receiver receiver, OutputPosition shown) {
    this.id = id;
    this.receiver = receiver;
    this.shown = shown;
  }

  /**
   * Follows the job to its end.
   *
   * @return the job when it is over
   * @throws RestFailureException if the server refuses, or stays away for about a minute
   */
  public JsonNode follow(ReturningServer server) throws IOException, InterruptedException {
    RequestEnd patience = RequestEnd.NONE;
    for (int breaks = 0; ; breaks++) {
      answered = false;
      Optional<JsonNode> end = followed(server.after(breaks));
      if (end.isPresent()) {
        return end.get();
      }
      patience = breaks == 0 || answered ? server.patience() : patience;
      if (breaks > ReturningServer.MOST_BREAKS || patience.isOver()) {
        throw new RestFailureException(
            RestFailureException.NO_SERVER, "the server is gone; job " + id + " continues");
      }
      Thread.sleep(ReturningServer.PAUSE_MILLIS);
    }
  }

  /** Passes on new output; returns the end of the job, or empty if the connection has broken. */
  private Optional<JsonNode> followed(RestClient server) throws IOException {
    String path = "/jobs/" + id + "/output?attempts=all&after=" + shown + machine;
    try (EventReader events = new EventReader(server.stream(path))) {
      answered = true;
      for (Optional<EventReader.Event> event = events.next();
          event.isPresent();
          event = events.next()) {
        JsonNode data = RestClient.JSON.readTree(event.get().data());
        switch (event.get().type()) {
          case "out" -> pass(data, OutputStreamName.OUT);
          case "err" -> pass(data, OutputStreamName.ERR);
          case "done" -> shown.done(data.path("tasks").asText());
          case "missing" -> receiver.missing(data.path("reason").asText());
          case "end" -> {
            return Optional.of(data);
          }
          default -> {} // changes of states are not shown
        }
      }
    } catch (IOException broken) {
      if (!ReturningServer.isAway(broken)) {
        throw broken;
      }
    }
    return Optional.empty();
  }

  private void pass(JsonNode data, OutputStreamName stream) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(data.path("data").asText());
    TaskId task = TaskId.parse(data.path("task").asText());
    int attempt = data.path("attempt").asInt();
    pass(bytes, data.path("offset").asLong(), task, attempt, stream);
    if (data.path("place").isTextual()) {
      try {
        passRest(data, task, attempt, stream);
      } catch (IOException gone) {
        machine = ""; // the server is asked for it from here on
        throw gone;
      }
    }
  }

  /** Passes on what lies on this machine, and is not sent. */
  private void passRest(JsonNode data, TaskId task, int attempt, OutputStreamName stream)
      throws IOException {
    LocalOutputFile file =
        LocalOutputFile.of(data.path("place").asText(), stream)
            .orElseThrow(() -> new IOException("it is not of this account"));
    long end = data.path("size").asLong();
    long seen = shown.seen(task.index(), attempt, stream);
    while (seen < end) {
      OutputSlice part = file.read(seen, end);
      if (part.bytes().length == 0) {
        break; // it was cut off
      }
      pass(part.bytes(), part.offset(), task, attempt, stream);
      seen = shown.seen(task.index(), attempt, stream);
    }
  }

  private void pass(byte[] bytes, long offset, TaskId task, int attempt, OutputStreamName stream) {
    long seen = shown.seen(task.index(), attempt, stream);
    if (offset > seen) {
      receiver.dropped(offset - seen, task, stream);
    }
    int skip = (int) Math.max(0, Math.min(bytes.length, seen - offset));
    receiver.show(task, stream, bytes, skip);
    shown.shown(task.index(), attempt, stream, offset + bytes.length);
  }
}
