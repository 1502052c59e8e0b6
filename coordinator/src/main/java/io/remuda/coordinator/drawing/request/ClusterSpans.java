package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.GpuSpan;
import io.remuda.coordinator.drawing.UnitText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What ran where, and why nothing did, as the server has recorded it.
 *
 * @param isShortened whether the server has left the shortest out
 */
record ClusterSpans(List<GpuSpan> spans, boolean isShortened) {

  private static final int NOT_FOUND = 404;
  private static final String UNKNOWN = "unknown";

  ClusterSpans {
    spans = List.copyOf(spans);
  }

  /**
   * Returns what a server knows of a time; empty if it records none, as one of an earlier build.
   *
   * @param node null for all
   */
  static Optional<ClusterSpans> of(
      ServerAnswers server, long from, long to, String node, TimelineGrouping by)
      throws IOException {
    String path =
        "/timeline?from="
            + from
            + "&to="
            + to
            + (node == null ? "" : "&node=" + RestClient.encode(node));
    JsonNode answer;
    try {
      answer = server.get(path);
    } catch (RestFailureException no) {
      if (no.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw no;
    }
    List<GpuSpan> spans = new ArrayList<>();
    answer.path("spans").forEach(span -> spans.add(used(span, to, by)));
    for (JsonNode gap : answer.path("gaps")) {
      if (!gap.path("reason").asText().equals(UNKNOWN)) { // which is drawn as nothing
        spans.add(gap(gap, to));
      }
    }
    return Optional.of(new ClusterSpans(spans, answer.path("more").asBoolean()));
  }

  private static Long end(JsonNode span) {
    return span.path("to").isNumber() ? Long.valueOf(span.path("to").asLong()) : null;
  }

  private static long seconds(JsonNode span, long now) {
    return (end(span) == null ? now : end(span)) - span.path("from").asLong();
  }

  private static GpuSpan used(JsonNode span, long now, TimelineGrouping by) {
    String job = span.path("job").asText();
    String user = span.path("user").isTextual() ? span.path("user").asText() : UNKNOWN;
    String type = span.path("type").isTextual() ? span.path("type").asText() : "";
    String words =
        "task "
            + job
            + "."
            + span.path("task").asText()
            + ", try "
            + span.path("attempt").asText("1")
            + ", of "
            + user
            + ", "
            + SpanText.of(seconds(span, now))
            + (end(span) == null ? " so far" : "")
            + (span.path("memory").isNumber()
                ? ", " + UnitText.of(span.path("memory").asDouble(), "bytes")
                : "");
    return new GpuSpan(
        span.path("gpu").asText(),
        span.path("from").asLong(),
        end(span),
        GpuSpan.Kind.USED,
        by.key(job, user, type),
        job,
        words);
  }

  private static GpuSpan gap(JsonNode gap, long now) {
    String reason = gap.path("reason").asText();
    String label =
        gap.has("text")
            ? gap.path("text").asText()
            : reason.replace('-', ' ') // of a server of an earlier build
                + (gap.path("job").isNumber() ? " job " + gap.path("job").asText() : "");
    return new GpuSpan(
        gap.path("gpu").asText(),
        gap.path("from").asLong(),
        end(gap),
        reason.equals("nobody-waited") ? GpuSpan.Kind.UNWANTED : GpuSpan.Kind.WITHHELD,
        reason,
        label,
        label + ", " + SpanText.of(seconds(gap, now)));
  }
}
