package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A job with its tasks, as the server shows them.
 *
 * @param job with its terms and needs
 * @param tasks with their attempts; not more than the server gives at once
 */
record ReportedJob(JsonNode job, List<JsonNode> tasks) {

  private static final double MILLIS_OF_HOUR = 3_600_000;

  ReportedJob {
    tasks = List.copyOf(tasks);
  }

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

  /** Returns the run time of the newest attempts of all tasks, in hours. */
  double hours(long now) {
    double sum = 0;
    for (JsonNode task : tasks) {
      Long from = second(task.path("startedAt"));
      Long to = second(task.path("endedAt"));
      if (task.path("wallMillis").isNumber() && to != null) {
        sum += task.path("wallMillis").asDouble() / MILLIS_OF_HOUR;
      } else if (from != null) {
        sum += Math.max(0, (to == null ? now : to) - from) / 3600.0;
      }
    }
    return sum;
  }

  /** Returns GPUs × hours that it held. */
  double gpuHours(long now) {
    double sum = 0;
    for (JsonNode task : tasks) {
      sum += new ReportedJob(job, List.of(task)).hours(now) * task.path("devices").size();
    }
    return sum;
  }

  /** Returns the greatest of a number over its tasks; NaN if none has it. */
  double greatest(String field) {
    return values(field).max().orElse(Double.NaN);
  }

  /** Returns the mean of a number over its tasks, each as heavy as it was long; NaN if unknown. */
  double mean(String field, long now) {
    ToDoubleFunction<JsonNode> weight =
        task -> Math.max(1e-6, new ReportedJob(job, List.of(task)).hours(now));
    double sum = 0;
    double all = 0;
    for (JsonNode task : tasks) {
      if (task.path(field).isNumber()) {
        sum += task.path(field).asDouble() * weight.applyAsDouble(task);
        all += weight.applyAsDouble(task);
      }
    }
    return all == 0 ? Double.NaN : sum / all;
  }

  private java.util.stream.DoubleStream values(String field) {
    return tasks.stream()
        .map(task -> task.path(field))
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble);
  }

  List<JsonNode> failures() {
    return tasks.stream()
        .filter(
            task ->
                task.path("state").asText().equals("failed")
                    || task.path("state").asText().equals("lost"))
        .toList();
  }
}
