package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.AttemptRow;
import io.remuda.coordinator.drawing.AttemptSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The attempts of a job's tasks as rows of a drawing. */
public final class JobAttempts {

  private JobAttempts() {}

  /** Returns a time of an answer in seconds since 1970; null if there is none. */
  public static Long second(JsonNode time) {
    return time.isTextual() ? Long.valueOf(Instant.parse(time.asText()).getEpochSecond()) : null;
  }

  /**
   * Returns the row of a task.
   *
   * @param task as the server shows it with its attempts
   * @param submitted when its job was submitted, in seconds since 1970
   * @param now of what has not ended
   */
  static AttemptRow row(JsonNode task, long submitted, long now) {
    List<AttemptSpan> spans = new ArrayList<>();
    long waits = submitted;
    String why = "its turn";
    for (JsonNode earlier : task.path("earlier")) {
      Long from = second(earlier.path("startedAt"));
      Long to = second(earlier.path("endedAt"));
      String cause = text(earlier, "cause");
      if (from != null && to != null) {
        waited(spans, waits, from, why);
        spans.add(span(from, to, AttemptSpan.Kind.AGAIN, earlier, cause));
        waits = to;
        why = "another try";
      }
    }
    Long from = second(task.path("startedAt"));
    Long to = second(task.path("endedAt"));
    AttemptSpan.Kind kind = kind(task.path("state").asText());
    if (from == null) {
      waited(spans, waits, to == null ? now : to, why);
    } else {
      waited(spans, waits, from, why);
      spans.add(span(from, to, kind, task, end(task, kind)));
    }
    return new AttemptRow(task.path("id").asText(), spans);
  }

  private static void waited(List<AttemptSpan> spans, long from, long to, String why) {
    if (to > from) {
      String words = "waited " + SpanText.of(to - from) + " for " + why;
      spans.add(new AttemptSpan(from, to, AttemptSpan.Kind.WAITED, "", words));
    }
  }

  private static AttemptSpan span(
      long from, Long to, AttemptSpan.Kind kind, JsonNode attempt, String end) {
    String node = attempt.path("node").isTextual() ? attempt.path("node").asText() : "";
    String words =
        "try "
            + attempt.path("attempt").asText()
            + (node.isEmpty() ? "" : " on " + node)
            + (to == null ? "" : ", " + SpanText.of(to - from))
            + ", "
            + kind.words()
            + (end.isEmpty() ? "" : ": " + end);
    return new AttemptSpan(from, to, kind, node, words);
  }

  private static AttemptSpan.Kind kind(String state) {
    return switch (state) {
      case "succeeded" -> AttemptSpan.Kind.SUCCEEDED;
      case "failed" -> AttemptSpan.Kind.FAILED;
      case "cancelled" -> AttemptSpan.Kind.CANCELLED;
      case "lost" -> AttemptSpan.Kind.LOST;
      default -> AttemptSpan.Kind.RUNS;
    };
  }

  private static String end(JsonNode task, AttemptSpan.Kind kind) {
    if (kind == AttemptSpan.Kind.RUNS) {
      return ""; // the rest is of an earlier try
    }
    String signal = text(task, "signal");
    String exit = text(task, "exitCode");
    String code = signal.isEmpty() ? exit.isEmpty() ? "" : "exit " + exit : "signal " + signal;
    String cause = text(task, "cause");
    return code.isEmpty() || cause.isEmpty() ? code + cause : code + ", " + cause;
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNull() || value.isMissingNode() ? "" : value.asText();
  }
}
