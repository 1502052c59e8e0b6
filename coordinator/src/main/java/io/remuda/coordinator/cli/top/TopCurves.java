package io.remuda.coordinator.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.remuda.coordinator.cli.output.CurveText;
import io.remuda.telemetry.render.BarStyle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Curves of the last quarter of an hour: how busy each GPU was, and of each job its GPUs or, if it
 * has none, its CPUs. Immutable.
 */
final class TopCurves {

  /** Before the first answer, and of a server without a history. */
  static final TopCurves NONE = new TopCurves(Map.of(), Map.of());

  /** Points of a curve, and its width; the time they cover in seconds. */
  static final int POINTS = 15;

  static final int SECONDS = 900;

  private final Map<String, String> byGpu;
  private final Map<Long, String> byJob;

  private TopCurves(Map<String, String> byGpu, Map<Long, String> byJob) {
    this.byGpu = Map.copyOf(byGpu);
    this.byJob = Map.copyOf(byJob);
  }

  /** Returns whether there are none. */
  boolean isEmpty() {
    return byGpu.isEmpty() && byJob.isEmpty();
  }

  /** Returns the curve of a GPU, or empty if there is none. */
  String gpu(String uuid) {
    return byGpu.getOrDefault(uuid, "");
  }

  /** Returns the curve of a job, or empty if there is none. */
  String job(long number) {
    return byJob.getOrDefault(number, "");
  }

  /** Draws curves from answers of the server. */
  static final class Drawing {

    private final BarStyle style;
    private final Map<String, String> gpus = new HashMap<>();
    private final Map<Long, Means> utilizations = new HashMap<>();
    private final Map<Long, Means> cpus = new HashMap<>();

    Drawing(BarStyle style) {
      this.style = style;
    }

    /** Adds the answer to {@code kind=gpu&metric=utilization}. */
    void gpus(JsonNode history) {
      for (JsonNode series : history.path("series")) {
        gpus.put(
            series.path("name").asText(),
            CurveText.line(series.at("/curves/0/mean"), 1, POINTS, style));
      }
    }

    /** Adds the answer to {@code kind=task&metric=cpu,gpuUtilization}. */
    void tasks(JsonNode history) {
      for (JsonNode series : history.path("series")) {
        String number = series.path("name").asText().split("\\.", 2)[0];
        if (number.matches("[0-9]{1,18}")) {
          for (JsonNode curve : series.path("curves")) {
            boolean gpu = curve.path("metric").asText().equals("gpuUtilization");
            (gpu ? utilizations : cpus)
                .computeIfAbsent(Long.valueOf(number), job -> new Means())
                .add(curve.path("mean"));
          }
        }
      }
    }

    TopCurves curves() {
      Map<Long, String> jobs = new HashMap<>();
      cpus.forEach((job, means) -> put(jobs, job, means.sum(), means.greatestSum()));
      utilizations.forEach((job, means) -> put(jobs, job, means.mean(), 1));
      return new TopCurves(gpus, jobs);
    }

    private void put(Map<Long, String> jobs, Long job, ArrayNode means, double highest) {
      String line = CurveText.line(means, highest, POINTS, style);
      if (!line.isBlank()) {
        jobs.put(job, line);
      }
    }
  }

  /** The points of several curves of a job. */
  private static final class Means {
    private double[] sums = new double[0];
    private int[] counts = new int[0];

    private void add(JsonNode means) {
      if (means.size() > sums.length) {
        sums = Arrays.copyOf(sums, means.size());
        counts = Arrays.copyOf(counts, means.size());
      }
      for (int point = 0; point < means.size(); point++) {
        if (means.get(point).isNumber()) {
          sums[point] += means.get(point).asDouble();
          counts[point]++;
        }
      }
    }

    private ArrayNode mean() {
      ArrayNode means = JsonNodeFactory.instance.arrayNode();
      for (int point = 0; point < sums.length; point++) {
        add(means, point, sums[point] / Math.max(1, counts[point]));
      }
      return means;
    }

    private ArrayNode sum() {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      for (int point = 0; point < sums.length; point++) {
        add(all, point, sums[point]);
      }
      return all;
    }

    private void add(ArrayNode to, int point, double value) {
      if (counts[point] == 0) {
        to.addNull();
      } else {
        to.add(value);
      }
    }

    private double greatestSum() {
      return Arrays.stream(sums).max().orElse(0);
    }
  }
}
