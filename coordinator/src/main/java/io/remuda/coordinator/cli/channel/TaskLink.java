package io.remuda.coordinator.cli.channel;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A channel beside an attempt of a task. All bytes have numbers, so that a request is repeated
 * while the server is away, and none is lost or comes twice. One thread sends while another
 * receives.
 */
final class TaskLink {

  /** Number of bytes in one request. */
  static final int PART = 64 << 10;

  /** Status if there is no such channel any more, or the task is over. */
  static final int WRONG_STATE = 409;

  private static final int NOT_YOURS = 403;

  /** No server, too many requests a second, a node away. */
  private static final Set<Integer> LATER = Set.of(RestFailureException.NO_SERVER, 429, 502, 503);

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  /** The node closes a channel of which it has heard nothing for two minutes. */
  private static final long PATIENCE_NANOS = 110_000_000_000L;

  /** Then the node notices by itself. */
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(3);

  private final RestClient server;
  private final TaskId task;
  private final String name;
  private final int attempt;

  private long sent;
  private long received;
  private volatile boolean over;
  private Integer exitCode;

  private TaskLink(RestClient server, TaskId task, String name, int attempt) {
    this.server = server;
    this.task = task;
    this.name = name;
    this.attempt = attempt;
  }

  /**
   * Opens a channel.
   *
   * @param what as the HTTP interface names it
   * @param more further fields of the request
   * @throws RestFailureException if it is refused
   */
  static TaskLink open(RestClient server, TaskId task, String what, Map<String, Object> more)
      throws IOException {
    String name = UUID.randomUUID().toString();
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("task", task.index());
    request.put("name", name);
    request.put("open", what);
    request.putAll(more);
    JsonNode answer = server.post(path(task), request);
    return new TaskLink(server, task, name, answer.path("attempt").asInt());
  }

  /**
   * Checks that the task may be used so, before anything is opened.
   *
   * @throws RestFailureException if it belongs to somebody else
   */
  static void requireOwn(RestClient server, TaskId task) throws IOException {
    try {
      server.post(path(task), Map.of("task", task.index(), "name", "none", "close", true));
    } catch (RestFailureException no) {
      if (no.status() == NOT_YOURS) {
        throw no;
      }
    }
  }

  /**
   * Returns the channel to the newest attempt's own terminal.
   *
   * @throws RestFailureException if there is none, or not yet
   */
  static TaskLink ofTask(RestClient server, TaskId task) throws IOException {
    JsonNode answer = server.post(path(task), Map.of("task", task.index()));
    return new TaskLink(server, task, ChannelExchangeRequest.TASK, answer.path("attempt").asInt());
  }

  int attempt() {
    return attempt;
  }

  /** Returns the exit code of the program that was opened; null if it is not known. */
  Integer exitCode() {
    return exitCode;
  }

  boolean isOver() {
    return over;
  }

  /** Nothing more is sent or received. */
  void over() {
    over = true;
  }

  /** Says how large the terminal here is. */
  void resize(int rows, int columns) throws IOException, InterruptedException {
    Map<String, Object> request = request();
    request.put("rows", rows);
    request.put("columns", columns);
    ask(request);
  }

  private static String path(TaskId task) {
    return "/jobs/" + task.job() + "/channel";
  }

  /**
   * Sends bytes, and waits until all are taken.
   *
   * @return whether they were; else nobody takes any more
   */
  boolean send(byte[] bytes, boolean end) throws IOException, InterruptedException {
    long last = sent + bytes.length;
    for (boolean first = true; first || sent < last; first = false) {
      byte[] rest = Arrays.copyOfRange(bytes, (int) (bytes.length - (last - sent)), bytes.length);
      Map<String, Object> request = request();
      request.put("offset", sent);
      request.put("data", Base64.getEncoder().encodeToString(rest));
      request.put("end", end);
      JsonNode answer = ask(request);
      long taken = answer.path("taken").asLong(-1);
      if (taken < last && (over || taken <= sent && answer.path("ended").asBoolean(true))) {
        return false;
      }
      sent = Math.max(sent, taken);
    }
    return true;
  }

  /** Returns the next bytes, maybe none yet; null if there will be no more. */
  byte[] receive() throws IOException, InterruptedException {
    Map<String, Object> request = request();
    request.put("read", received);
    JsonNode answer = ask(request);
    boolean another = answer.path("attempt").asInt() != attempt;
    byte[] bytes = Base64.getDecoder().decode(answer.path("data").asText(""));
    long offset = answer.path("offset").asLong(received);
    byte[] fresh =
        Arrays.copyOfRange(bytes, (int) Math.min(bytes.length, received - offset), bytes.length);
    received += fresh.length;
    over |= another || (fresh.length == 0 && answer.path("ended").asBoolean());
    JsonNode code = answer.path("exitCode");
    exitCode = code.isInt() ? Integer.valueOf(code.asInt()) : exitCode;
    return over && fresh.length == 0 ? null : fresh;
  }

  /** Says that the channel is not needed any more; the node also notices by itself. */
  void close() {
    over = true;
    try {
      Map<String, Object> request = request();
      request.put("close", true);
      server.until(RequestEnd.in(LONGEST_CLOSE)).post(path(task), request);
    } catch (IOException gone) {
      // then it is closed
    }
  }

  private Map<String, Object> request() {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("task", task.index());
    request.put("attempt", attempt);
    request.put("name", name);
    return request;
  }

  /** Returns whether a request that failed so may succeed later. */
  static boolean isAway(IOException fault) {
    return !(fault instanceof RestFailureException no) || LATER.contains(no.status());
  }

  private JsonNode ask(Map<String, Object> request) throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      try {
        return server.post(path(task), request);
      } catch (IOException fault) {
        if (!isAway(fault) || System.nanoTime() - start > PATIENCE_NANOS) {
          throw fault;
        }
      }
      Thread.sleep(pause);
    }
  }
}
