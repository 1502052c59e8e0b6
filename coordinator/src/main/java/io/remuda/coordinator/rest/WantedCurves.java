package io.remuda.coordinator.rest;

import io.remuda.coordinator.curve.TaskCurve;
import io.remuda.coordinator.curve.TaskCurves;
import io.remuda.coordinator.rest.query.HistoryQuery;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Leaves of each attempt of an answer what is asked for, within a bound of all together. */
final class WantedCurves implements UnaryOperator<TaskCurves> {

  /** Points of all attempts of an answer, before they are taken together; 40 bytes each. */
  private static final long MOST_POINTS = 2_000_000;

  private final HistoryQuery query;
  private long points;

  WantedCurves(HistoryQuery query) {
    this.query = query;
  }

  /**
   * @throws IllegalArgumentException if there is too much
   */
  @Override
  public TaskCurves apply(TaskCurves all) {
    Map<String, TaskCurve> reported = new TreeMap<>();
    all.reported()
        .forEach(
            (name, curve) -> {
              if (query.wantsReported(name)) {
                reported.put(name, curve);
                points += curve.size();
              }
            });
    List<TaskCurves.Reading> readings =
        all.readings().stream()
            .filter(
                reading ->
                    query.metrics().stream()
                        .anyMatch(metric -> metric.label().equals(reading.metric())))
            .toList();
    points += readings.stream().mapToLong(reading -> reading.mean().length).sum();
    if (points > MOST_POINTS) {
      throw new IllegalArgumentException(
          "these tasks have more than "
              + MOST_POINTS
              + " points: ask for some by name, or for one metric");
    }
    return new TaskCurves(all.attempt(), reported, readings, all.notes());
  }
}
