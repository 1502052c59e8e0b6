package io.remuda.coordinator.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers of {@code GET /history}: waves, with a gap in which the server was away. */
final class StagedHistory {

  private static final double GIB = 1L << 30;

  /** Metrics of each kind with their units and greatest values. */
  private static final Map<String, List<Metric>> METRICS =
      Map.of(
          "gpu",
          List.of(
              new Metric("utilization", "ratio", 1),
              new Metric("memoryUsed", "bytes", 120 * GIB),
              new Metric("memoryLent", "bytes", 130 * GIB),
              new Metric("power", "watts", 690),
              new Metric("temperature", "celsius", 71)),
          "task",
          List.of(
              new Metric("gpuUtilization", "ratio", 1),
              new Metric("gpuMemory", "bytes", 44 * GIB),
              new Metric("cpu", "cores", 4),
              new Metric("memory", "bytes", 24 * GIB)),
          "queue",
          List.of(new Metric("waiting", "tasks", 40), new Metric("running", "tasks", 12)));

  private record Metric(String name, String unit, double greatest) {}

  private final List<String> gpus;

  StagedHistory(List<String> gpus) {
    this.gpus = gpus;
  }

  JsonNode answer(String query) {
    Map<String, String> asked = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      asked.put(pair.replaceFirst("=.*", ""), pair.replaceFirst("^[^=]*=?", ""));
    }
    long to = Long.parseLong(asked.get("to"));
    long from = Long.parseLong(asked.get("from"));
    long points = Math.min(Long.parseLong(asked.getOrDefault("points", "900")), 900);
    long step = Math.max(1, (to - from) / points);
    String kind = asked.getOrDefault("kind", "gpu");
    ObjectNode answer = StagedServer.JSON.createObjectNode();
    int count = (int) Math.max(1, (to - from) / step);
    answer.put("from", from).put("step", step).put("points", count).put("since", from);
    ArrayNode series = answer.putArray("series");
    String names = asked.get("name");
    List<String> shown =
        names != null ? List.of(names.split("%2C|,")) : kind.equals("gpu") ? gpus : List.of("all");
    for (String name : shown) {
      ObjectNode one = series.addObject().put("kind", kind).put("name", name);
      ArrayNode curves = one.putArray("curves");
      for (Metric metric : METRICS.get(kind)) {
        if (!asked.containsKey("metric") || asked.get("metric").contains(metric.name())) {
          curve(curves.addObject(), metric, name.hashCode(), count);
        }
      }
      if (kind.equals("task")) {
        loss(one.putArray("reported").addObject(), from, to);
      }
    }
    return answer;
  }

  /** What a training reports: 40 points, uneven. */
  private static void loss(ObjectNode curve, long from, long to) {
    curve.put("metric", "loss").put("count", 40).put("last", 0.1);
    ArrayNode time = curve.putArray("time");
    ArrayNode mean = curve.putArray("mean");
    for (int at = 0; at < 40; at++) {
      double place = at / 40.0;
      time.add(from + (to - from) * (0.1 + 0.8 * place * place));
      mean.add(2.3 * Math.exp(-3 * place) + 0.05 * Math.sin(at));
    }
  }

  private static void curve(ObjectNode curve, Metric metric, int seed, int count) {
    curve.put("metric", metric.name()).put("unit", metric.unit());
    ArrayNode mean = curve.putArray("mean");
    ArrayNode min = curve.putArray("min");
    ArrayNode max = curve.putArray("max");
    boolean whole = metric.unit().equals("tasks");
    for (int at = 0; at < count; at++) {
      double place = at * 1.0 / count;
      if (place > 0.42 && place < 0.47) {
        mean.addNull();
        min.addNull();
        max.addNull();
        continue;
      }
      double wave =
          0.62 + 0.25 * Math.sin(place * 21 + seed % 7) + 0.1 * Math.sin(place * 170 + seed % 5);
      double value = Math.max(0, Math.min(1, wave)) * metric.greatest();
      mean.add(whole ? Math.round(value) : value);
      min.add(whole ? Math.floor(value * 0.9) : value * 0.9);
      max.add(Math.min(metric.greatest(), whole ? Math.ceil(value * 1.06) : value * 1.06));
    }
  }
}
