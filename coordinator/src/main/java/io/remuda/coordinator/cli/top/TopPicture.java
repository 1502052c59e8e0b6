package io.remuda.coordinator.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.telemetry.render.PrintableText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Nodes, GPUs and jobs at one moment, as the server has told; text in it cannot move a cursor.
 *
 * @param at by the server's clock
 * @param nodes how many there are
 * @param silent how many of them do not answer
 * @param gpus of all nodes, node by node
 * @param running jobs of which something runs or is starting
 * @param waiting jobs of which nothing does
 * @param jobs the first of them
 * @param note why a node that is there gets no tasks for a while, or empty
 */
public record TopPicture(
    Instant at,
    int nodes,
    int silent,
    List<Gpu> gpus,
    int running,
    int waiting,
    List<Job> jobs,
    String note) {

  /** One of nodes that get tasks. */
  TopPicture(
      Instant at, int nodes, int silent, List<Gpu> gpus, int running, int waiting, List<Job> jobs) {
    this(at, nodes, silent, gpus, running, waiting, jobs, "");
  }

  private static final Set<String> BEFORE = Set.of("submitted", "held", "waiting");

  /**
   * A GPU or a MIG instance; what is not known is null, or 0 for {@code total}.
   *
   * @param silent whether its node does not answer, so that nothing is known of now
   * @param number in its node; empty if not known
   * @param state free, shared, taken or unfit
   * @param health ok, degraded, stale or lost; empty before its first reading
   * @param total bytes that tasks may use
   * @param used bytes by all together
   * @param parts of the tasks that hold it
   * @param others bytes that belong to none of these
   * @param utilization percent
   */
  record Gpu(
      String node,
      boolean silent,
      String number,
      String model,
      String state,
      String health,
      long total,
      Long used,
      List<JobShare> parts,
      Long others,
      Integer utilization,
      Integer celsius,
      Double watts) {}

  /**
   * What a task has of a GPU, in bytes.
   *
   * @param whole whether it has the GPU for itself
   * @param used null if not known
   */
  record JobShare(long job, boolean whole, long reserved, Long used) {}

  /**
   * A job that is not over.
   *
   * @param since when it was started or, if it was not, submitted, as ISO 8601 says it
   */
  record Job(
      long id, String name, String user, String state, int tasks, String since, String reason) {}

  /** Reads the answer of {@code GET /top}. */
  public static TopPicture of(JsonNode view) {
    List<String> silent = new ArrayList<>();
    String note = "";
    for (JsonNode node : view.path("nodes")) {
      if (node.path("state").asText().equals("silent")) {
        silent.add(node.path("name").asText());
      }
      if (note.isEmpty() && node.path("note").isTextual()) {
        note = PrintableText.of(node.path("name").asText() + ": " + node.path("note").asText());
      }
    }
    List<Gpu> gpus = new ArrayList<>();
    view.path("gpus").forEach(gpu -> gpus.add(gpu(gpu, silent)));
    List<Job> jobs = new ArrayList<>();
    view.path("jobs").forEach(job -> jobs.add(job(job)));
    return new TopPicture(
        Instant.parse(view.path("time").asText()),
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
        text(gpu, "health"),
        gpu.path("memoryBytes").asLong(),
        old ? null : bytes(gpu.path("usedBytes")),
        parts,
        old ? null : bytes(gpu.path("otherBytes")),
        old ? null : number(gpu.path("utilization")),
        old ? null : number(gpu.path("temperatureCelsius")),
        old || !gpu.path("powerWatts").isNumber() ? null : gpu.path("powerWatts").asDouble());
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

  private static Job job(JsonNode job) {
    String started = text(job, "startedAt");
    return new Job(
        job.path("id").asLong(),
        text(job, "name"),
        text(job, "user"),
        text(job, "state"),
        job.path("tasks").asInt(),
        started.isEmpty() ? text(job, "submittedAt") : started,
        text(job, "reason"));
  }
}
