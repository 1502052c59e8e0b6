package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.CurvePanel;
import io.remuda.coordinator.drawing.CurveSeries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Curves of the history, by panel in the order in which they came. */
final class HistoryPanels {

  /** Curves that are drawn over each other; more are taken together. */
  private static final int MOST = 8;

  private record Panel(String unit, List<CurveSeries> series) {}

  private final Map<String, Panel> panels = new LinkedHashMap<>();

  /**
   * Adds an answer of the server.
   *
   * @param place of a curve by the name of its series and its metric; null to leave it out
   */
  HistoryPanels add(JsonNode answer, BiFunction<String, String, MetricText.Place> place) {
    long from = answer.path("from").asLong();
    long step = Math.max(1, answer.path("step").asLong());
    for (JsonNode series : answer.path("series")) {
      for (JsonNode curve : series.path("curves")) {
        MetricText.Place its =
            place.apply(series.path("name").asText(), curve.path("metric").asText());
        if (its != null) {
          double[] mean = values(curve.path("mean"));
          double[] min = curve.has("min") ? values(curve.path("min")) : mean;
          double[] max = curve.has("max") ? values(curve.path("max")) : mean;
          add(
              its.panel(),
              curve.path("unit").asText(),
              new CurveSeries(its.label(), from, step, mean, min, max));
        }
      }
    }
    return this;
  }

  /**
   * Adds a curve; all of a panel have the same times and unit.
   *
   * @param unit of the values, empty for none
   */
  void add(String panel, String unit, CurveSeries curve) {
    panels.computeIfAbsent(panel, title -> new Panel(unit, new ArrayList<>())).series().add(curve);
  }

  private static double[] values(JsonNode list) {
    double[] values = new double[list.size()];
    for (int at = 0; at < values.length; at++) {
      values[at] = list.get(at).isNumber() ? list.get(at).asDouble() : Double.NaN;
    }
    return values;
  }

  /**
   * Returns the panels; curves that have no value are left out.
   *
   * @param what the curves are of, as {@code tasks}, where so many are taken together
   */
  List<CurvePanel> panels(String what) {
    List<CurvePanel> all = new ArrayList<>();
    panels.forEach(
        (title, panel) -> {
          List<CurveSeries> known = panel.series().stream().filter(HistoryPanels::isKnown).toList();
          if (!known.isEmpty()) {
            all.add(
                new CurvePanel(
                    title,
                    panel.unit(),
                    known.size() <= MOST ? known : List.of(together(known, what))));
          }
        });
    return all;
  }

  private static boolean isKnown(CurveSeries series) {
    for (double value : series.mean()) {
      if (!Double.isNaN(value)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the mean of many curves of the same times, with the least and the greatest of all. */
  private static CurveSeries together(List<CurveSeries> all, String what) {
    CurveSeries first = all.get(0);
    int count = first.mean().length;
    double[] mean = new double[count];
    double[] min = new double[count];
    double[] max = new double[count];
    for (int at = 0; at < count; at++) {
      double sum = 0;
      int known = 0;
      min[at] = Double.NaN;
      max[at] = Double.NaN;
      for (CurveSeries one : all) {
        if (at < one.mean().length && !Double.isNaN(one.mean()[at])) {
          sum += one.mean()[at];
          min[at] = known == 0 ? one.min()[at] : Math.min(min[at], one.min()[at]);
          max[at] = known == 0 ? one.max()[at] : Math.max(max[at], one.max()[at]);
          known++;
        }
      }
      mean[at] = known == 0 ? Double.NaN : sum / known;
    }
    return new CurveSeries(
        "mean and range of " + all.size() + " " + what, first.from(), first.step(), mean, min, max);
  }
}
