package io.remuda.coordinator.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** Waits until a node that was started has joined its server. */
public final class NodeJoinWait {

  private static final long LOOK_MILLIS = 100;

  private NodeJoinWait() {}

  /**
   * Waits for a node.
   *
   * @return whether it has joined in time
   */
  public static boolean await(RestClient server, String node, Duration longest)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    while (!isConnected(server.get("/nodes"), node)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
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
