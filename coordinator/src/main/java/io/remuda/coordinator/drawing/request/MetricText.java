package io.remuda.coordinator.drawing.request;

import java.util.Locale;
import java.util.Map;

/** Names of metrics for people, and which of them share a panel. */
final class MetricText {

  /** Panel of metrics that are drawn over each other, with the label of each. */
  record Place(String panel, String label) {}

  private static final Map<String, Place> SHARED =
      Map.ofEntries(
          Map.entry("gpu.memoryUsed", new Place("memory", "used")),
          Map.entry("gpu.memoryLent", new Place("memory", "lent")),
          Map.entry("node.memoryUsed", new Place("memory", "used")),
          Map.entry("node.cpu", new Place("CPU", "CPU")),
          Map.entry("node.load1", new Place("load", "load")),
          Map.entry("task.cpu", new Place("CPU", "CPU")),
          Map.entry("task.gpuMemory", new Place("GPU memory", "GPU memory")),
          Map.entry("task.gpuUtilization", new Place("GPU utilization", "GPU utilization")),
          Map.entry("queue.waiting", new Place("tasks", "waiting")),
          Map.entry("queue.running", new Place("tasks", "running")));

  private MetricText() {}

  /** Returns where a metric of the history is drawn. */
  static Place place(String kind, String metric) {
    Place shared = SHARED.get(kind + "." + metric);
    String words = metric.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ");
    String plain = words.contains(" ") ? words.toLowerCase(Locale.ROOT) : words;
    return shared == null ? new Place(plain, plain) : shared;
  }
}
