package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.CurvePanel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the attempts of a job have used and reported, from the server's history.
 *
 * @param id of the job, or of one of its tasks
 * @param tasks that are asked for, 1 or more
 * @param from first second since 1970
 * @param to later
 */
record JobCurves(ServerAnswers server, String id, int tasks, long from, long to) {

  private static final List<String> READINGS =
      List.of("cpu", "memory", "gpuMemory", "gpuUtilization");

  /** Reported names that are drawn. */
  private static final int MOST_NAMES = 12;

  /** Names that a task may report, which all come with an answer. */
  private static final int MOST_REPORTED = 50;

  private static final int STATISTICS = 4;
  private static final int FEWEST_POINTS = 20;

  /** Values of readings that are asked for. */
  private static final int USUAL_VALUES = 400_000;

  /** Values that an answer may have. */
  private static final int MOST_VALUES = 2_000_000;

  private static final int BAD_REQUEST = 400;

  /**
   * Returns the panels: readings, then what was reported, by the time of its first report.
   *
   * @param metrics that are wanted, none for all
   * @param points of a curve at most
   */
  List<CurvePanel> panels(List<String> metrics, int points) throws IOException {
    int even = least(points, USUAL_VALUES / (STATISTICS * READINGS.size() * tasks));
    JsonNode answer = answer(metrics, even);
    boolean single = answer.path("series").size() == 1;
    HistoryPanels panels =
        new HistoryPanels()
            .add(
                answer,
                (name, metric) -> {
                  MetricText.Place place = MetricText.place("task", metric);
                  return single ? place : new MetricText.Place(place.panel(), attempt(name));
                });
    for (String name : names(answer)) {
      String title = "reported " + name;
      for (JsonNode series : answer.path("series")) {
        String label = single ? title : attempt(series.path("name").asText());
        for (JsonNode curve : series.path("reported")) {
          if (curve.path("metric").asText().equals(name)) {
            panels.add(title, "", ReportedPoints.series(label, curve, from, to, even));
          }
        }
      }
    }
    return panels.panels("attempts");
  }

  private static int least(int points, int bound) {
    return Math.max(FEWEST_POINTS, Math.min(points, bound));
  }

  /** Returns the answer, or of what the server can answer the most. */
  private JsonNode answer(List<String> metrics, int points) throws IOException {
    try {
      return ask(metrics, points);
    } catch (RestFailureException no) {
      if (no.status() != BAD_REQUEST) {
        throw no;
      }
      int coarse = MOST_VALUES / (STATISTICS * (READINGS.size() + MOST_REPORTED) * tasks);
      List<String> readings =
          metrics.isEmpty() ? READINGS : metrics.stream().filter(READINGS::contains).toList();
      if (metrics.isEmpty() && FEWEST_POINTS <= coarse && coarse < points) {
        return ask(metrics, coarse); // too many values
      }
      if (readings.isEmpty() || readings.equals(metrics)) {
        throw no;
      }
      return ask(readings, points); // too many values, or a server that knows no reported ones
    }
  }

  private JsonNode ask(List<String> metrics, int points) throws IOException {
    StringBuilder path = new StringBuilder("/history?kind=task");
    path.append("&from=").append(from).append("&to=").append(to);
    path.append("&points=").append(points);
    path.append("&name=").append(RestClient.encode(id));
    if (!metrics.isEmpty()) {
      path.append("&metric=").append(RestClient.encode(String.join(",", metrics)));
    }
    return server.get(path.toString());
  }

  /** Returns the names of what is drawn, by the time of their first report. */
  private static List<String> names(JsonNode answer) {
    Map<String, Double> first = new HashMap<>();
    for (JsonNode series : answer.path("series")) {
      for (JsonNode curve : series.path("reported")) {
        first.merge(
            curve.path("metric").asText(), curve.path("time").path(0).asDouble(), Math::min);
      }
    }
    List<String> names = new ArrayList<>(first.keySet());
    names.sort(
        Comparator.<String, Double>comparing(first::get).thenComparing(Comparator.naturalOrder()));
    return names.subList(0, Math.min(MOST_NAMES, names.size()));
  }

  /** Returns an attempt in words, its number only if it is not the first. */
  private static String attempt(String name) {
    int last = name.lastIndexOf('.');
    String number = name.substring(last + 1);
    return name.substring(0, last) + (number.equals("1") ? "" : " try " + number);
  }
}
