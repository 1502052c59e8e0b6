package io.remuda.coordinator.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import io.remuda.telemetry.model.DeviceId;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the tasks of jobs, as {@code GET /jobs/N/tasks} has them. */
final class PastTaskReader {

  private final ServerAnswers server;
  private final long nowMillis;

  /**
   * @param nowMillis end of what runs, in milliseconds since 1970
   */
  PastTaskReader(ServerAnswers server, long nowMillis) {
    this.server = server;
    this.nowMillis = nowMillis;
  }

  /**
   * Returns the tasks of a job that have a place or had one.
   *
   * @param details of the job, with its first tasks
   */
  List<PastTask> of(JsonNode details, int gpus) throws IOException {
    List<PastTask> tasks = new ArrayList<>();
    boolean again = details.path("moreAttempts").asBoolean();
    for (JsonNode task : details.path("attempts")) {
      again |= task.path("attempt").asInt() > 1;
    }
    if (!again) {
      details.path("attempts").forEach(task -> task(task, gpus).ifPresent(tasks::add));
      return tasks;
    }
    String path = "/jobs/" + details.path("id").asLong() + "/tasks?attempts&limit=1000";
    String first = "";
    do {
      JsonNode page = server.get(path + first);
      page.path("tasks").forEach(task -> task(task, gpus).ifPresent(tasks::add));
      first = page.path("next").isNumber() ? "&first=" + page.path("next").asText() : "";
    } while (!first.isEmpty());
    return tasks;
  }

  private Optional<PastTask> task(JsonNode task, int gpus) {
    Long start = millis(task.path("startedAt"));
    if (start == null) {
      return Optional.empty(); // it waits
    }
    Long over = millis(task.path("endedAt"));
    long end = Math.max(start, over == null ? nowMillis : over);
    long ran =
        over != null && task.path("wallMillis").isNumber()
            ? task.path("wallMillis").asLong()
            : end - start;
    List<PastTask.GpuTime> held = new ArrayList<>();
    for (JsonNode device : task.path("devices")) {
      held.add(new PastTask.GpuTime(new DeviceId(device.asText()), start, end));
    }
    long first = start;
    for (JsonNode earlier : task.path("earlier")) {
      Long from = millis(earlier.path("startedAt"));
      Long to = millis(earlier.path("endedAt"));
      if (from != null && to != null && to >= from) {
        first = Math.min(first, from);
        ran += to - from;
        for (int i = 0; i < gpus; i++) { // which ones is not known any more
          String name = task.path("id").asText() + "." + earlier.path("attempt").asText() + "/" + i;
          held.add(new PastTask.GpuTime(new DeviceId(name), from, to));
        }
      }
    }
    return Optional.of(
        new PastTask(
            task.path("index").asInt(),
            first,
            end,
            Math.max(0, ran - task.path("lostMillis").asLong()),
            task.path("state").asText().equals("succeeded"),
            task.path("preemptions").asInt(),
            task.path("gpuPeakBytes").isNumber() ? task.path("gpuPeakBytes").asLong() : null,
            held));
  }

  static Long millis(JsonNode time) {
    return time.isTextual() ? Long.valueOf(Instant.parse(time.asText()).toEpochMilli()) : null;
  }
}
