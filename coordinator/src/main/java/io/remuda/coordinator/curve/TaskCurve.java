package io.remuda.coordinator.curve;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.agent.protocol.ReportedPoint;
import java.util.Arrays;

/**
 * A metric of an attempt over its whole life, as it is kept and as it is shown: at most {@value
 * #MOST} points, each of so many values as the number of all demands. Not thread-safe until its
 * last value is added.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class TaskCurve {

  /** Most points. */
  public static final int MOST = 200;

  /** Bytes of a point in memory. */
  static final int POINT_BYTES = 40;

  private static final int FIRST = 8;

  private long[] at = new long[FIRST];
  private double[] step = new double[FIRST];
  private long[] count = new long[FIRST];
  private float[] mean = new float[FIRST];
  private float[] minimum = new float[FIRST];
  private float[] maximum = new float[FIRST];
  private int size;

  /** Reports that make a point. */
  private int together = 1;

  /** Reports in the last point. */
  private int inLast;

  private double lowest = Double.POSITIVE_INFINITY;
  private double highest = Double.NEGATIVE_INFINITY;
  private double last = Double.NaN;

  /** What is stored. */
  record Stored(
      long[] at,
      double[] step,
      long[] count,
      float[] mean,
      float[] minimum,
      float[] maximum,
      int together,
      int inLast,
      double lowest,
      double highest,
      double last) {}

  TaskCurve() {}

  /** Makes a curve of what is stored; nobody else may use its arrays any more. */
  static TaskCurve of(Stored stored) {
    TaskCurve curve = new TaskCurve();
    curve.size = stored.at().length;
    curve.at = stored.at();
    curve.step = stored.step();
    curve.count = stored.count();
    curve.mean = stored.mean();
    curve.minimum = stored.minimum();
    curve.maximum = stored.maximum();
    if (curve.size < FIRST || curve.size % 2 == 1) {
      curve.grow(Math.max(FIRST, curve.size + 1));
    }
    curve.together = stored.together();
    curve.inLast = stored.inLast();
    curve.lowest = stored.lowest();
    curve.highest = stored.highest();
    curve.last = stored.last();
    return curve;
  }

  Stored stored() {
    return new Stored(
        Arrays.copyOf(at, size),
        Arrays.copyOf(step, size),
        Arrays.copyOf(count, size),
        Arrays.copyOf(mean, size),
        Arrays.copyOf(minimum, size),
        Arrays.copyOf(maximum, size),
        together,
        inLast,
        lowest,
        highest,
        last);
  }

  /**
   * Adds what was reported after the last.
   *
   * @param memory points by which it may grow; without it has fewer points
   */
  void add(ReportedPoint point, long memory) {
    if (size > 0 && inLast < together) {
      into(size - 1, point);
      inLast++;
    } else {
      if (size == at.length) {
        int larger = Math.min(MOST, 2 * size);
        if (larger > size && larger - size <= memory) {
          grow(larger);
        } else {
          halve();
        }
      }
      at[size] = point.atMillis();
      step[size] = point.step() == null ? Double.NaN : point.step();
      count[size] = point.count();
      mean[size] = (float) point.mean();
      minimum[size] = (float) point.minimum();
      maximum[size] = (float) point.maximum();
      size++;
      inLast = 1;
    }
    lowest = Math.min(lowest, point.minimum());
    highest = Math.max(highest, point.maximum());
    last = point.last();
  }

  private void into(int index, ReportedPoint point) {
    at[index] = point.atMillis();
    step[index] = point.step() == null ? step[index] : point.step();
    long all = count[index] + point.count();
    mean[index] += (float) ((point.mean() - mean[index]) * point.count() / all);
    count[index] = all;
    minimum[index] = (float) Math.min(minimum[index], point.minimum());
    maximum[index] = (float) Math.max(maximum[index], point.maximum());
  }

  /** Takes each two points together, of which there is an even number, and the last is full. */
  private void halve() {
    for (int pair = 0; pair < size / 2; pair++) {
      int first = 2 * pair;
      int second = first + 1;
      long all = count[first] + count[second];
      at[pair] = at[second];
      step[pair] = Double.isNaN(step[second]) ? step[first] : step[second];
      mean[pair] =
          (float) (mean[first] + ((double) mean[second] - mean[first]) * count[second] / all);
      minimum[pair] = Math.min(minimum[first], minimum[second]);
      maximum[pair] = Math.max(maximum[first], maximum[second]);
      count[pair] = all;
    }
    size /= 2;
    together *= 2;
    inLast = together;
  }

  private void grow(int room) {
    at = Arrays.copyOf(at, room);
    step = Arrays.copyOf(step, room);
    count = Arrays.copyOf(count, room);
    mean = Arrays.copyOf(mean, room);
    minimum = Arrays.copyOf(minimum, room);
    maximum = Arrays.copyOf(maximum, room);
  }

  /** Returns the number of points. */
  public int size() {
    return size;
  }

  /** Returns the room that it has, in points. */
  int room() {
    return at.length;
  }

  /** Returns when the last value of a point was reported, in milliseconds since 1970. */
  public long at(int point) {
    return at[point];
  }

  /** Returns the program's own count at a point; NaN if it told none. */
  public double step(int point) {
    return step[point];
  }

  /** Returns the number of values of a point. */
  public long count(int point) {
    return count[point];
  }

  /** Returns the mean of the values of a point. */
  public double mean(int point) {
    return mean[point];
  }

  /** Returns the least of the values of a point. */
  public double minimum(int point) {
    return minimum[point];
  }

  /** Returns the greatest of the values of a point. */
  public double maximum(int point) {
    return maximum[point];
  }

  /** Returns the least of all values. */
  public double lowest() {
    return lowest;
  }

  /** Returns the greatest of all values. */
  public double highest() {
    return highest;
  }

  /** Returns the newest value. */
  public double last() {
    return last;
  }
}
