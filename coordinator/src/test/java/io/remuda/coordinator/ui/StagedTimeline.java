package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Answers of {@code GET /timeline}: jobs one after the other on each GPU, with gaps. */
final class StagedTimeline {

  private static final String[] USERS = {"ann", "cleo", "ben", "dora"};
  private static final String[] TYPES = {"resnet", "lr", "bert", "eval", "diffusion"};
  private static final String[] REASONS = {
    "nobody-waited", "memory-too-small", "kept-for", "drained"
  };

  private StagedTimeline() {}

  static JsonNode answer(JsonNode top, String query) {
    long from = Long.parseLong(query.replaceAll("(?:.*&)?from=(\\d+).*", "$1"));
    long to = Long.parseLong(query.replaceAll("(?:.*&)?to=(\\d+).*", "$1"));
    ObjectNode answer =
        StagedServer.JSON.createObjectNode().put("from", from).put("to", to).put("since", from);
    ArrayNode spans = answer.putArray("spans");
    ArrayNode gaps = answer.putArray("gaps");
    int row = 0;
    for (JsonNode gpu : top.path("gpus")) {
      long at = from;
      for (int turn = 0; at < to; turn++) {
        int seed = row * 31 + turn * 17;
        long length = (to - from) / 40 * (4 + seed % 9);
        long until = Math.min(to, at + length);
        String name = gpu.path("node").asText() + ":" + gpu.path("number").asText();
        if (seed % 4 == 3) {
          gaps.addObject()
              .put("gpu", name)
              .put("uuid", gpu.path("uuid").asText())
              .put("from", at)
              .put("to", until)
              .put("reason", REASONS[seed % REASONS.length])
              .put("job", 17);
        } else {
          spans
              .addObject()
              .put("gpu", name)
              .put("uuid", gpu.path("uuid").asText())
              .put("from", at)
              .put("to", until)
              .put("job", 3 + seed % 22)
              .put("task", 0)
              .put("user", USERS[seed % USERS.length])
              .put("type", TYPES[seed % TYPES.length])
              .put("memory", 44L << 30);
        }
        at = until;
      }
      row++;
    }
    return answer;
  }
}
