package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.AttemptRow;
import io.remuda.coordinator.drawing.AttemptSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Why jobs waited, from when to when. */
public final class WaitReasons {

  private static final int NOT_FOUND = 404;

  private WaitReasons() {}

  /**
   * Returns the reasons of a job as the server has them; none if it keeps none, as one of an
   * earlier build.
   */
  public static List<JsonNode> of(ServerAnswers server, long job) throws IOException {
    List<JsonNode> reasons = new ArrayList<>();
    try {
      server.get("/jobs/" + job + "/waiting").path("reasons").forEach(reasons::add);
    } catch (RestFailureException no) {
      if (no.status() != NOT_FOUND) {
        throw no;
      }
    }
    return reasons;
  }

  /**
   * Returns the reasons as a row of a drawing.
   *
   * @param now of those that still hold, in seconds since 1970
   */
  static AttemptRow row(List<JsonNode> reasons, long now) {
    List<AttemptSpan> spans = new ArrayList<>();
    for (JsonNode reason : reasons) {
      long from = reason.path("from").asLong();
      long to = reason.path("to").isNumber() ? reason.path("to").asLong() : now;
      String words =
          "waited "
              + SpanText.of(to - from)
              + ": "
              + reason.path("text").asText()
              + (reason.path("turn").isNumber() ? ", turn " + reason.path("turn").asText() : "");
      String name = reason.path("reason").asText().replace('-', ' ');
      spans.add(new AttemptSpan(from, to, AttemptSpan.Kind.WAITED, name, words));
    }
    return new AttemptRow("why", spans);
  }
}
