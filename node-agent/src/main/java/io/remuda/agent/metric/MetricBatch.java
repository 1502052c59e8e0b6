package io.remuda.agent.metric;

import io.remuda.agent.protocol.ReportedPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The points of a look at a task's lines. Not thread-safe. */
final class MetricBatch {

  /** Points of a look, of all metrics together. */
  static final int MOST_POINTS = 200;

  private final Map<String, List<ReportedPoint>> points = new LinkedHashMap<>();

  void add(MetricLine line) {
    points
        .computeIfAbsent(line.name(), none -> new ArrayList<>())
        .add(ReportedPoint.of(line.atMillis(), line.step(), line.value()));
  }

  boolean isEmpty() {
    return points.isEmpty();
  }

  /** Returns the names of which there are more points than are sent. */
  List<String> thinned() {
    return points.entrySet().stream()
        .filter(series -> series.getValue().size() > most())
        .map(Map.Entry::getKey)
        .toList();
  }

  private int most() {
    return Math.max(1, MOST_POINTS / Math.max(1, points.size()));
  }

  /** Returns the points; of a metric with too many, neighbours are taken together. */
  Map<String, List<ReportedPoint>> points() {
    Map<String, List<ReportedPoint>> all = new LinkedHashMap<>();
    points.forEach((name, series) -> all.put(name, together(series, most())));
    return all;
  }

  private static List<ReportedPoint> together(List<ReportedPoint> series, int most) {
    int size = series.size();
    if (size <= most) {
      return List.copyOf(series);
    }
    List<ReportedPoint> fewer = new ArrayList<>(most);
    for (int part = 0; part < most; part++) {
      List<ReportedPoint> some =
          series.subList(
              (int) ((long) part * size / most), (int) ((long) (part + 1) * size / most));
      some.stream().reduce(ReportedPoint::and).ifPresent(fewer::add);
    }
    return fewer;
  }
}
