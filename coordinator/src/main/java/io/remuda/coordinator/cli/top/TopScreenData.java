package io.remuda.coordinator.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.output.TaskCountText;
import io.remuda.coordinator.cli.output.TrainingProgressText;
import io.remuda.telemetry.render.PrintableText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Nodes, GPUs and jobs at one moment, as reported by the server; control characters are escaped.
 *
 * @param at time by the server's clock
 * @param nodes number of nodes
 * @param silent number of nodes that do not answer
 * @param gpus GPUs of all nodes, node by node
 * @param running number of jobs with a task that runs or is starting
 * @param waiting number of the other jobs that have not ended
 * @param jobs the first of these jobs
 * @param note why a node gets no tasks for a while, or empty; of one that was drained only if no
 *     other has a note
 */
public record TopScreenData(
    Instant at,
    int nodes,
    int silent,
    List<Gpu> gpus,
    int running,
    int waiting,
    List<Job> jobs,
    String note) {

  private static final Set<String> BEFORE = Set.of("submitted", "held", "waiting");

  /**
   * A GPU or a MIG instance; unknown values are null, or 0 for {@code total}.
   *
   * @param silent whether its node does not answer, so that its current values are not known
   * @param number in its node; empty if not known
   * @param state free, shared, occupied, taken, unfit, resting or draining
   * @param reason the reason that was given when it was drained, or why it is occupied or rests;
   *     empty without one
   * @param health ok, degraded, stale or lost; empty before its first reading
   * @param total bytes that tasks may use
   * @param used bytes used by all processes
   * @param parts shares of the tasks that hold it
   * @param others bytes used by processes of none of these tasks
   * @param utilization percent
   * @param uuid empty if not known
   */
  record Gpu(
      String node,
      boolean silent,
      String number,
      String model,
      String state,
      String reason,
      String health,
      long total,
      Long used,
      List<JobShare> parts,
      Long others,
      Integer utilization,
      Integer celsius,
      Double watts,
      String uuid) {}

  /**
   * A task's share of a GPU, in bytes.
   *
   * @param whole whether the task has the whole GPU
   * @param used null if not known
   */
  record JobShare(long job, boolean whole, long reserved, Long used) {}

  /**
   * A job that has not ended.
   *
   * @param tasks how far its tasks are, empty for a job with one
   * @param since when it was started or, if it was not, submitted, in ISO 8601
   */
  record Job(
      long id, String name, String user, String state, String tasks, String since, String reason) {

    /** Returns whether it has not begun. */
    boolean isBefore() {
      return BEFORE.contains(state);
    }
  }

  /** Reads the answer of {@code GET /top}. */
  public static TopScreenData of(JsonNode view) {
    List<String> silent = new ArrayList<>();
    String note = "";
    boolean pauses = false;
    for (JsonNode node : view.path("nodes")) {
      if (node.path("state").asText().equals("silent")) {
        silent.add(node.path("name").asText());
      }
      boolean paused = node.path("state").asText().equals("paused");
      if (node.path("note").isTextual() && (note.isEmpty() || paused && !pauses)) {
        pauses = paused;
        note = PrintableText.of(node.path("name").asText() + ": " + node.path("note").asText());
      }
    }
    List<Gpu> gpus = new ArrayList<>();
    view.path("gpus").forEach(gpu -> gpus.add(gpu(gpu, silent)));
    List<Job> jobs = new ArrayList<>();
    Instant at = Instant.parse(view.path("time").asText());
    view.path("jobs").forEach(job -> jobs.add(job(job, at)));
    return new TopScreenData(
        at,
        view.path("nodes").size(),
        silent.size(),
        gpus,
        count(view.path("counts"), false),
        count(view.path("counts"), true),
        jobs,
        note);
  }

  private static int count(JsonNode counts, boolean waiting) {
    int sum = 0;
    for (Iterator<String> states = counts.fieldNames(); states.hasNext(); ) {
      String state = states.next();
      sum += BEFORE.contains(state) == waiting ? counts.path(state).asInt() : 0;
    }
    return sum;
  }

  private static Gpu gpu(JsonNode gpu, List<String> silent) {
    List<JobShare> parts = new ArrayList<>();
    for (JsonNode holder : gpu.path("holders")) {
      parts.add(
          new JobShare(
              holder.path("job").asLong(),
              holder.path("whole").asBoolean(),
              holder.path("reservedBytes").asLong(),
              bytes(holder.path("usedBytes"))));
    }
    boolean old = silent.contains(gpu.path("node").asText());
    return new Gpu(
        text(gpu, "node"),
        old,
        text(gpu, "number"),
        text(gpu, "model"),
        text(gpu, "state"),
        reason(gpu),
        text(gpu, "health"),
        gpu.path("memoryBytes").asLong(),
        old ? null : bytes(gpu.path("usedBytes")),
        parts,
        old ? null : bytes(gpu.path("otherBytes")),
        old ? null : number(gpu.path("utilization")),
        old ? null : number(gpu.path("temperatureCelsius")),
        old || !gpu.path("powerWatts").isNumber() ? null : gpu.path("powerWatts").asDouble(),
        text(gpu, "uuid"));
  }

  private static String reason(JsonNode gpu) {
    String state = text(gpu, "state");
    return state.equals("occupied") || state.equals("resting")
        ? text(gpu, "note")
        : text(gpu, "drainReason");
  }

  private static Long bytes(JsonNode value) {
    return value.isNumber() ? value.asLong() : null;
  }

  private static Integer number(JsonNode value) {
    return value.isNumber() ? value.asInt() : null;
  }

  private static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNull() ? "" : PrintableText.of(value.asText());
  }

  private static Job job(JsonNode job, Instant now) {
    String started = text(job, "startedAt");
    return new Job(
        job.path("id").asLong(),
        text(job, "name"),
        text(job, "user"),
        text(job, "state"),
        tasks(job),
        started.isEmpty() ? text(job, "submittedAt") : started,
        PrintableText.of(TrainingProgressText.withReason(job, now)));
  }

  private static String tasks(JsonNode job) {
    int tasks = job.path("tasks").asInt();
    if (tasks == 1) {
      return "";
    }
    return job.path("counts").isObject() ? TaskCountText.of(job) : tasks + " tasks";
  }
}
