package io.remuda.coordinator.drawing.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.CurveSeries;
import java.util.Arrays;

/**
 * What a program has reported of a metric, brought to even times: values of one step are taken
 * together, and between those that are known lies a straight line, as readers of such curves
 * expect. Before the first and after the last value there is nothing.
 */
final class ReportedPoints {

  private final double[] mean;
  private final double[] min;
  private final double[] max;
  private final double[] count;

  private ReportedPoints(int size) {
    mean = new double[size];
    min = new double[size];
    max = new double[size];
    count = new double[size];
    Arrays.fill(min, Double.NaN);
    Arrays.fill(max, Double.NaN);
  }

  /**
   * Returns the curve.
   *
   * @param curve one of {@code reported} in an answer of the server
   * @param from time of the first value, in seconds since 1970
   * @param to second after the last; points outside are left out
   * @param points at most, 1 or more
   */
  static CurveSeries series(String label, JsonNode curve, long from, long to, int points) {
    long step = Math.max(1, (to - from + points - 1) / points);
    int size = (int) Math.max(1, (to - from + step - 1) / step);
    ReportedPoints its = new ReportedPoints(size);
    for (int point = 0; point < curve.path("time").size(); point++) {
      double time = curve.path("time").get(point).asDouble();
      if (time >= from && time < to && curve.path("mean").path(point).isNumber()) {
        its.add((int) Math.min(size - 1, (long) (time - from) / step), curve, point);
      }
    }
    its.join();
    return new CurveSeries(label, from, step, its.mean, its.min, its.max);
  }

  private void add(int at, JsonNode curve, int point) {
    double value = curve.path("mean").get(point).asDouble();
    double values = curve.path("values").path(point).asDouble(1);
    double least = curve.path("min").path(point).asDouble(value);
    double most = curve.path("max").path(point).asDouble(value);
    mean[at] = (mean[at] * count[at] + value * values) / (count[at] + values);
    min[at] = count[at] == 0 ? least : Math.min(min[at], least);
    max[at] = count[at] == 0 ? most : Math.max(max[at], most);
    count[at] += values;
  }

  private void join() {
    int before = -1;
    for (int at = 0; at < mean.length; at++) {
      if (count[at] > 0) {
        for (int between = before + 1; before >= 0 && between < at; between++) {
          double part = (between - before) / (double) (at - before);
          mean[between] = mean[before] + part * (mean[at] - mean[before]);
          min[between] = min[before] + part * (min[at] - min[before]);
          max[between] = max[before] + part * (max[at] - max[before]);
        }
        before = at;
      }
    }
    for (int at = 0; at < mean.length; at++) {
      mean[at] = Double.isNaN(min[at]) ? Double.NaN : mean[at];
    }
  }
}
