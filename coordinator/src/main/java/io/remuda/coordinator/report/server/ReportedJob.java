package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * A job with sums over its tasks.
 *
 * @param job with its terms and needs
 */
record ReportedJob(JsonNode job, TaskSums sums) {

  long id() {
    return job.path("id").asLong();
  }

  String title() {
    return "Job " + id() + ", " + job.path("name").asText();
  }

  /** Returns a time in seconds since 1970; null if there is none. */
  static Long second(JsonNode time) {
    return time.isTextual() ? Long.valueOf(Instant.parse(time.asText()).getEpochSecond()) : null;
  }

  /** Returns for how many seconds it waited before its first task started. */
  long waited(long now) {
    Long submitted = second(job.path("submittedAt"));
    Long started = second(job.path("startedAt"));
    Long ended = second(job.path("endedAt"));
    long until = started != null ? started : ended != null ? ended : now;
    return submitted == null ? 0 : Math.max(0, until - submitted);
  }

  double needs(String field) {
    return Math.max(0, job.path("needs").path(field).asDouble());
  }
}
