package io.remuda.coordinator.report.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.request.JobAttempts;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums over the newest attempts of a job's tasks, read page by page: a job may have more tasks than
 * fit into memory.
 */
final class TaskSums {

  /** Tasks of a job that are read. */
  static final int MOST_TASKS = 100_000;

  /** Failed tasks, and GPUs, that are kept. */
  static final int MOST_KEPT = 50;

  private static final double MILLIS_OF_HOUR = 3_600_000;
  private static final double SECONDS_OF_HOUR = 3600;
  private static final double LITTLE = 1e-6;
  private static final List<String> SHARES = List.of("cpuPercent", "gpuPercent");
  private static final List<String> SIZES = List.of("peakRssBytes", "gpuPeakBytes");

  /** A sum with the weights of what is in it. */
  private record Mean(double sum, double weight) {}

  private final Map<String, Mean> means = new HashMap<>();
  private final Map<String, Double> greatest = new HashMap<>();
  private final List<JsonNode> failures = new ArrayList<>();
  private final Set<String> devices = new LinkedHashSet<>();
  private long tasks;
  private long failed;
  private double hours;
  private double gpuHours;
  private boolean whole = true;

  /**
   * Reads the tasks of a job.
   *
   * @param now of what has not ended, in seconds since 1970
   */
  static TaskSums read(ServerAnswers server, long job, long now) throws IOException {
    TaskSums sums = new TaskSums();
    String first = "";
    do {
      JsonNode page = server.get("/jobs/" + job + "/tasks?limit=1000" + first);
      page.path("tasks").forEach(task -> sums.add(task, now));
      first = page.path("next").isNumber() ? "&first=" + page.path("next").asText() : "";
    } while (!first.isEmpty() && sums.tasks < MOST_TASKS);
    sums.whole = first.isEmpty();
    return sums;
  }

  private void add(JsonNode task, long now) {
    double its = hours(task, now);
    tasks++;
    hours += its;
    gpuHours += its * task.path("devices").size();
    for (String field : SHARES) {
      if (task.path(field).isNumber()) {
        double weight = Math.max(LITTLE, its);
        means.merge(
            field,
            new Mean(task.path(field).asDouble() * weight, weight),
            (one, other) -> new Mean(one.sum() + other.sum(), one.weight() + other.weight()));
      }
    }
    for (String field : SIZES) {
      if (task.path(field).isNumber()) {
        greatest.merge(field, task.path(field).asDouble(), Math::max);
      }
    }
    for (JsonNode device : task.path("devices")) {
      if (devices.size() < MOST_KEPT) {
        devices.add(device.asText());
      }
    }
    String state = task.path("state").asText();
    if (state.equals("failed") || state.equals("lost")) {
      failed++;
      if (failures.size() < MOST_KEPT) {
        failures.add(task);
      }
    }
  }

  private static double hours(JsonNode task, long now) {
    Long from = JobAttempts.second(task.path("startedAt"));
    Long to = JobAttempts.second(task.path("endedAt"));
    if (task.path("wallMillis").isNumber() && to != null) {
      return task.path("wallMillis").asDouble() / MILLIS_OF_HOUR;
    }
    return from == null ? 0 : Math.max(0, (to == null ? now : to) - from) / SECONDS_OF_HOUR;
  }

  /** Returns the number of tasks that were placed and read. */
  long tasks() {
    return tasks;
  }

  /** Returns whether these are all that were placed. */
  boolean isWhole() {
    return whole;
  }

  /** Returns their run time in hours. */
  double hours() {
    return hours;
  }

  /** Returns GPUs × hours that they held. */
  double gpuHours() {
    return gpuHours;
  }

  /** Returns the greatest size; NaN if none is known. */
  double greatest(String field) {
    return greatest.getOrDefault(field, Double.NaN);
  }

  /** Returns the mean of a share, each task as heavy as it was long; NaN if none is known. */
  double mean(String field) {
    Mean mean = means.get(field);
    return mean == null ? Double.NaN : mean.sum() / mean.weight();
  }

  /** Returns the first failed tasks. */
  List<JsonNode> failures() {
    return List.copyOf(failures);
  }

  /** Returns the number of all failed tasks. */
  long failed() {
    return failed;
  }

  /** Returns the UUIDs of the first GPUs that they had. */
  List<String> devices() {
    return List.copyOf(devices);
  }
}
