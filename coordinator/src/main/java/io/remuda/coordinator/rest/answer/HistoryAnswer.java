package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.curve.TaskCurves;
import io.remuda.coordinator.history.HistoryCurve;
import io.remuda.coordinator.history.SeriesKey;
import io.remuda.coordinator.history.SeriesKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Readings over time.
 *
 * @param from time of the first point, in seconds since 1970
 * @param step time between points, in seconds
 * @param points of each curve
 * @param since from when on there are points as fine as these, in seconds since 1970; null if there
 *     are none yet
 */
public record HistoryAnswer(long from, int step, int points, Long since, List<Series> series) {

  private static final double THOUSANDS = 1000;

  /**
   * The curves of a GPU, node, attempt or part of the queue.
   *
   * @param reported what the program of an attempt has reported, by its names
   * @param notes what there is to say about reported values that are missing
   */
  public record Series(
      String kind,
      String name,
      List<Curve> curves,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ReportedCurve> reported,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {

    /**
     * Returns what the program of an attempt has reported.
     *
     * @param wanted by name
     * @param most points of a curve
     */
    public static Series reported(TaskCurves task, Predicate<String> wanted, int most) {
      List<ReportedCurve> curves = new ArrayList<>();
      task.reported()
          .forEach(
              (name, curve) -> {
                if (wanted.test(name)) {
                  curves.add(ReportedCurve.of(name, curve, most));
                }
              });
      return new Series(
          SeriesKind.TASK.label(),
          task.attempt(),
          List.of(),
          curves,
          List.copyOf(task.notes().values()));
    }
  }

  /**
   * A metric over time; a value that is not there is null.
   *
   * @param unit a base unit
   * @param mean of the readings of each point, or the only one
   * @param min left out where each point has one reading, as the next two are
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Curve(
      String metric,
      String unit,
      List<Double> mean,
      List<Double> min,
      List<Double> max,
      List<Double> p95) {

    private static Curve of(HistoryCurve curve, boolean plain) {
      return new Curve(
          curve.metric().label(),
          curve.metric().unit(),
          list(curve.mean()),
          plain ? null : list(curve.minimum()),
          plain ? null : list(curve.maximum()),
          plain ? null : list(curve.p95()));
    }

    private static List<Double> list(double[] values) {
      List<Double> list = new ArrayList<>(values.length);
      for (double value : values) {
        list.add(
            Double.isNaN(value) ? null : Double.valueOf(Math.rint(value * THOUSANDS) / THOUSANDS));
      }
      return list;
    }
  }

  /**
   * Returns the answer.
   *
   * @param plain whether each point has one reading
   * @param since in seconds since 1970, or the largest long
   * @param reported by programs of tasks, without other curves
   */
  public static HistoryAnswer of(
      List<HistoryCurve> curves, long from, boolean plain, long since, List<Series> reported) {
    Map<SeriesKey, List<Curve>> series = new LinkedHashMap<>();
    Map<SeriesKey, Series> told = new HashMap<>();
    for (Series task : reported) {
      SeriesKey key = new SeriesKey(SeriesKind.TASK, task.name());
      told.put(key, task);
      series.put(key, new ArrayList<>());
    }
    for (HistoryCurve curve : curves) {
      series.computeIfAbsent(curve.key(), none -> new ArrayList<>()).add(Curve.of(curve, plain));
    }
    return new HistoryAnswer(
        curves.isEmpty() ? from : curves.get(0).start(),
        curves.isEmpty() ? 0 : curves.get(0).step(),
        curves.isEmpty() ? 0 : curves.get(0).mean().length,
        since == Long.MAX_VALUE ? null : Long.valueOf(since),
        series.entrySet().stream()
            .map(one -> series(one.getKey(), one.getValue(), told.get(one.getKey())))
            .toList());
  }

  private static Series series(SeriesKey key, List<Curve> curves, Series told) {
    return new Series(
        key.kind().label(),
        key.name(),
        curves,
        told == null ? List.of() : told.reported(),
        told == null ? List.of() : told.notes());
  }
}
