package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.curve.TaskCurve;
import java.util.ArrayList;
import java.util.List;

/**
 * What a program has reported of a metric, over its whole life. Points are where values were, and
 * not evenly spaced.
 *
 * @param count number of all values
 * @param last the newest value
 * @param lowest the least of all values
 * @param highest the greatest of all values
 * @param time of each point, the last of its values, in seconds since 1970
 * @param step the program's own count at each point, null where it told none; left out if it never
 *     did
 * @param mean of the values of each point
 * @param min left out where each point has one value, as the next two are
 * @param values number of values of each point
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReportedCurve(
    String metric,
    long count,
    double last,
    double lowest,
    double highest,
    List<Double> time,
    List<Double> step,
    List<Double> mean,
    List<Double> min,
    List<Double> max,
    List<Long> values) {

  private static final double MILLIS = 1000;

  /**
   * Returns a curve.
   *
   * @param most points; of more, neighbours are taken together
   */
  static ReportedCurve of(String metric, TaskCurve curve, int most) {
    int size = curve.size();
    int together = (size + most - 1) / most;
    Columns columns = new Columns();
    long count = 0;
    for (int from = 0; from < size; from += together) {
      int end = Math.min(size, from + together);
      columns.add(curve, from, end);
    }
    for (int point = 0; point < size; point++) {
      count += curve.count(point);
    }
    boolean plain = count == columns.time.size();
    boolean steps = columns.step.stream().anyMatch(step -> step != null);
    return new ReportedCurve(
        metric,
        count,
        curve.last(),
        curve.lowest(),
        curve.highest(),
        columns.time,
        steps ? columns.step : null,
        columns.mean,
        plain ? null : columns.min,
        plain ? null : columns.max,
        plain ? null : columns.values);
  }

  private static final class Columns {
    private final List<Double> time = new ArrayList<>();
    private final List<Double> step = new ArrayList<>();
    private final List<Double> mean = new ArrayList<>();
    private final List<Double> min = new ArrayList<>();
    private final List<Double> max = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    private void add(TaskCurve curve, int from, int end) {
      double sum = 0;
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      long count = 0;
      Double newest = null;
      for (int point = from; point < end; point++) {
        sum += curve.mean(point) * curve.count(point);
        count += curve.count(point);
        low = Math.min(low, curve.minimum(point));
        high = Math.max(high, curve.maximum(point));
        newest = Double.isNaN(curve.step(point)) ? newest : Double.valueOf(curve.step(point));
      }
      time.add(curve.at(end - 1) / MILLIS);
      step.add(newest);
      mean.add(shortest(count == 1 ? low : sum / count));
      min.add(shortest(low));
      max.add(shortest(high));
      values.add(count);
    }

    /** Returns the shortest number that is the same in the precision in which points are kept. */
    private static double shortest(double value) {
      return Double.parseDouble(Float.toString((float) value));
    }
  }
}
