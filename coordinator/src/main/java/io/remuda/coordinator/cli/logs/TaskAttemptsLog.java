package io.remuda.coordinator.cli.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.worker.job.TaskId;
import java.io.IOException;

/**
 * One stream of a task that is followed: of one attempt, or from attempt to attempt as the task
 * begins again. Single-threaded.
 */
final class TaskAttemptsLog {

  private static final int NOT_FOUND = 404;
  private static final int NODE_AWAY = 502;

  private final RestClient server;
  private final TaskId id;
  private final OutputStreamName stream;

  /** Whether it goes on with the next attempt. */
  private final boolean isThrough;

  private int attempt;
  private int newest;
  private TaskLog log;

  /**
   * @param attempt number of the attempt; 0 for the newest
   * @param isThrough whether it goes on with the attempts that follow; not where all of them write
   *     to one file of the user
   */
  TaskAttemptsLog(
      RestClient server, TaskId id, OutputStreamName stream, int attempt, boolean isThrough) {
    this.server = server;
    this.id = id;
    this.stream = stream;
    this.isThrough = isThrough;
    this.attempt = attempt;
    this.newest = attempt;
    this.log = new TaskLog(server::bytes, id, attempt, stream);
  }

  /** Returns the number of the attempt; 0 for the newest. */
  int attempt() {
    return attempt;
  }

  /** Returns the log of the attempt. */
  TaskLog log() {
    return log;
  }

  /**
   * Returns the next part of the attempt's output; null if it cannot be read and another attempt
   * has begun, as when its node is lost.
   */
  RestClient.OutputChunk from(long offset) throws IOException {
    try {
      return log.from(offset);
    } catch (RestFailureException fault) {
      boolean isGone = fault.status() == NODE_AWAY || fault.status() == NOT_FOUND;
      if (isThrough && isGone && isOver() && newest > attempt) {
        return null;
      }
      throw fault;
    }
  }

  /** Returns whether the attempt has ended. */
  boolean isOver() throws IOException {
    JsonNode task = LogsCommand.taskOf(server, id);
    newest = Math.max(newest, task.path("attempt").asInt());
    return isThrough && newest > attempt || task.path("endedAt").isTextual();
  }

  /** Goes on with the next attempt; returns false if there was none when the end was seen. */
  boolean next() {
    if (!isThrough || newest <= attempt) {
      return false;
    }
    attempt++;
    log = new TaskLog(server::bytes, id, attempt, stream);
    return true;
  }
}
