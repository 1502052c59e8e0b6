package io.remuda.coordinator.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * A curve as points on pixels: several values of one pixel column are taken together.
 *
 * @param runs points without a gap between them, by time
 * @param step pixels from point to point
 */
record CurvePoints(List<List<Point>> runs, double step) {

  /** Points that may lack at the end, where the newest one is not there yet. */
  private static final double STEPS_OF_GAP = 2.5;

  /** A point; its values are those of the curve. */
  record Point(double x, double mean, double min, double max) {}

  static CurvePoints of(CurveSeries series, TimeAxis time) {
    List<List<Point>> runs = new ArrayList<>();
    List<Point> run = new ArrayList<>();
    double pixels = (time.right() - time.left()) / (time.to() - time.from());
    int together = (int) Math.max(1, Math.ceil(1 / (pixels * series.step())));
    for (int first = 0; first < series.mean().length; first += together) {
      Point point = point(series, first, Math.min(series.mean().length, first + together), time);
      if (point != null) {
        run.add(point);
      } else if (!run.isEmpty()) {
        runs.add(run);
        run = new ArrayList<>();
      }
    }
    if (!run.isEmpty()) {
      runs.add(run);
    }
    return new CurvePoints(runs, pixels * series.step() * together);
  }

  /** Returns the values of a column as one; null if there is none, or not at a time shown. */
  private static Point point(CurveSeries series, int first, int end, TimeAxis time) {
    double sum = 0;
    double min = Double.NaN;
    double max = Double.NaN;
    int count = 0;
    for (int at = first; at < end; at++) {
      long second = series.from() + at * series.step();
      if (!Double.isNaN(series.mean()[at]) && second >= time.from() && second <= time.to()) {
        sum += series.mean()[at];
        min = count == 0 ? series.min()[at] : Math.min(min, series.min()[at]);
        max = count == 0 ? series.max()[at] : Math.max(max, series.max()[at]);
        count++;
      }
    }
    double middle = series.from() + (first + end - 1) / 2.0 * series.step();
    return count == 0 ? null : new Point(time.x(middle), sum / count, min, max);
  }

  /** Returns the means as a path; a point with gaps on both sides is a dot. */
  String line(DoubleUnaryOperator y) {
    StringBuilder path = new StringBuilder();
    for (List<Point> run : runs) {
      char command = 'M';
      for (Point point : run) {
        path.append(command).append(CurvesDrawing.xy(point.x(), y.applyAsDouble(point.mean())));
        command = 'L';
      }
      if (run.size() == 1) {
        path.append("h.1");
      }
    }
    return path.toString();
  }

  /** Returns the area from the least to the greatest values as a path. */
  String band(DoubleUnaryOperator y) {
    StringBuilder path = new StringBuilder();
    for (List<Point> run : runs) {
      if (run.stream().allMatch(point -> point.min() == point.max())) {
        continue;
      }
      char command = 'M';
      for (Point point : run) {
        path.append(command).append(CurvesDrawing.xy(point.x(), y.applyAsDouble(point.max())));
        command = 'L';
      }
      for (int at = run.size() - 1; at >= 0; at--) {
        Point point = run.get(at);
        path.append('L').append(CurvesDrawing.xy(point.x(), y.applyAsDouble(point.min())));
      }
      path.append('Z');
    }
    return path.toString();
  }

  /**
   * Returns times in which no curve has a value, as pixels from and to.
   *
   * @param least width of those that are returned
   */
  static List<double[]> gaps(List<CurvePoints> curves, TimeAxis time, double least) {
    List<double[]> known = new ArrayList<>();
    double wide = least;
    for (CurvePoints curve : curves) {
      for (List<Point> run : curve.runs()) {
        known.add(new double[] {run.get(0).x(), run.get(run.size() - 1).x()});
      }
      wide = Math.max(wide, curve.step() * STEPS_OF_GAP);
    }
    known.sort((one, other) -> Double.compare(one[0], other[0]));
    List<double[]> gaps = new ArrayList<>();
    double end = time.left();
    for (double[] span : known) {
      if (span[0] - end >= wide) {
        gaps.add(new double[] {end, span[0]});
      }
      end = Math.max(end, span[1]);
    }
    if (time.right() - end >= wide) {
      gaps.add(new double[] {end, time.right()});
    }
    return gaps;
  }
}
