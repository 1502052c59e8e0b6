package io.remuda.coordinator.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** Waits until a node that was started has joined its server. */
public final class NodeJoinWait {

  private static final long LOOK_MILLIS = 100;

  /** Time for one look, even if there is hardly any. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private NodeJoinWait() {}

  /**
   * Waits for a node.
   *
   * @return whether it has joined in time
   */
  public static boolean await(RestClient server, String node, Duration longest)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    Duration most = longest.compareTo(LEAST) < 0 ? LEAST : longest;
    RequestEnd end = RequestEnd.in(most);
    RestClient bounded = server.until(end);
    try {
      while (!isConnected(bounded.get("/nodes"), node)) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        Thread.sleep(LOOK_MILLIS);
      }
      return true;
    } catch (IOException fault) {
      if (end.isOver()) {
        return false;
      }
      throw fault;
    }
  }

  /** Returns whether a node's agent is connected: only then its version is known. */
  static boolean isConnected(JsonNode nodes, String node) {
    for (JsonNode one : nodes.path("nodes")) {
      if (one.path("name").asText().equals(node) && one.path("version").isTextual()) {
        return true;
      }
    }
    return false;
  }
}
