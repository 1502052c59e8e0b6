package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.GpuSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What ran where by what the answers about jobs and their tasks have. */
public final class TaskSpans {

  private TaskSpans() {}

  /**
   * Returns the times of a task's newest attempt on its GPUs.
   *
   * @param job as in a list of jobs
   * @param task as the server shows it
   * @param gpus names by UUID; a GPU that is not among them is left out
   */
  public static List<GpuSpan> of(
      JsonNode job, JsonNode task, TimelineGrouping by, Map<String, String> gpus) {
    List<GpuSpan> spans = new ArrayList<>();
    Long from = JobAttempts.second(task.path("startedAt"));
    Long to = JobAttempts.second(task.path("endedAt"));
    if (from == null) {
      return spans;
    }
    String id = job.path("id").asText();
    String type = job.path("terms").path("type").asText("");
    String key = by.key(id, job.path("user").asText(), type.equals("null") ? "" : type);
    String name = job.path("name").asText();
    String words =
        "task "
            + task.path("id").asText()
            + ", "
            + name
            + ", of "
            + job.path("user").asText()
            + (to == null ? ", runs" : ", " + SpanText.of(to - from))
            + ", "
            + task.path("state").asText();
    for (JsonNode device : task.path("devices")) {
      String gpu = gpus.get(device.asText());
      if (gpu != null) {
        spans.add(new GpuSpan(gpu, from, to, GpuSpan.Kind.USED, key, id + " " + name, words));
      }
    }
    return spans;
  }
}
