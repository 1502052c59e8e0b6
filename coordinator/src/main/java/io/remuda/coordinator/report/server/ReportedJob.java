package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.request.JobAttempts;

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

  /** Returns for how many seconds it waited before its first task started. */
  long waited(long now) {
    Long submitted = JobAttempts.second(job.path("submittedAt"));
    Long started = JobAttempts.second(job.path("startedAt"));
    Long ended = JobAttempts.second(job.path("endedAt"));
    long until = started != null ? started : ended != null ? ended : now;
    return submitted == null ? 0 : Math.max(0, until - submitted);
  }

  double needs(String field) {
    return Math.max(0, job.path("needs").path(field).asDouble());
  }
}
