package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RelayedAnswer;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.ui.PageServer.ShownServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * A server that says what a test has it say: answers by path, for pictures and for what a real one
 * needs days for. Any thread.
 */
final class StagedServer implements ShownServer {

  static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Function<String, JsonNode>> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private volatile boolean away;

  /** Sets the answer to a path, without its query. */
  StagedServer says(String path, JsonNode answer) {
    return says(path, query -> answer);
  }

  /** Sets the answer to a path by its query. */
  StagedServer says(String path, Function<String, JsonNode> answer) {
    answers.put(path, answer);
    return this;
  }

  /** Has it answer a path, without its query, only once the latch that is returned is open. */
  CountDownLatch holds(String path) {
    CountDownLatch held = new CountDownLatch(1);
    Function<String, JsonNode> answer = answers.get(path);
    says(
        path,
        query -> {
          try {
            held.await();
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
          return answer.apply(query);
        });
    return held;
  }

  /** Has it refuse a path, without its query, from now on; 0 for no longer. */
  void refuses(String path, int status) {
    refused.put(path, status);
  }

  /** Has it be away, or back. */
  void isAway(boolean now) {
    away = now;
  }

  /** Returns the requests that were to change something, as POST /jobs/12/cancel. */
  List<String> changes() {
    return changes;
  }

  @Override
  public RelayedAnswer ask(String method, String path, byte[] body) throws IOException {
    if (away) {
      throw new RestFailureException(
          RestFailureException.NO_SERVER, "no server answers at https://lab7:7070");
    }
    if (!method.equals("GET")) {
      changes.add(
          method
              + " "
              + path
              + (body.length == 0 ? "" : " " + new String(body, StandardCharsets.UTF_8)));
    }
    String[] parts = path.split("\\?", 2);
    Function<String, JsonNode> answer = answers.get(parts[0]);
    int status = answer == null ? 404 : refused.getOrDefault(parts[0], 0);
    if (status != 0) {
      ObjectNode error = JSON.createObjectNode();
      error.putObject("error").put("code", "refused").put("message", "there is no " + parts[0]);
      return answered(status, error);
    }
    return answered(200, answer.apply(parts.length > 1 ? parts[1] : ""));
  }

  private static RelayedAnswer answered(int status, JsonNode json) throws IOException {
    if (json.isTextual()) {
      byte[] text = json.asText().getBytes(StandardCharsets.UTF_8);
      return new RelayedAnswer(
          status,
          Map.of(
              "content-type", "application/octet-stream",
              "remuda-offset", "0",
              "remuda-size", Integer.toString(text.length)),
          new ByteArrayInputStream(text));
    }
    return new RelayedAnswer(
        status,
        Map.of("content-type", "application/json"),
        new ByteArrayInputStream(JSON.writeValueAsBytes(json)));
  }

  @Override
  public PageContext context() {
    return new PageContext("ann", "https://lab7:7070", "lab7", "Europe/Berlin", "0.1.0");
  }
}
