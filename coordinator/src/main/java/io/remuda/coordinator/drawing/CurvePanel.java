package io.remuda.coordinator.drawing;

import java.util.List;

/**
 * Curves of one unit over each other.
 *
 * @param title what they are of, as {@code memory}
 * @param unit as {@link UnitText} has it
 * @param series in the order of their colours
 */
public record CurvePanel(String title, String unit, List<CurveSeries> series) {

  public CurvePanel {
    series = List.copyOf(series);
  }

  double least() {
    return series.stream()
        .mapToDouble(CurveSeries::least)
        .filter(value -> !Double.isNaN(value))
        .min()
        .orElse(Double.NaN);
  }

  double greatest() {
    return series.stream()
        .mapToDouble(CurveSeries::greatest)
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }
}
