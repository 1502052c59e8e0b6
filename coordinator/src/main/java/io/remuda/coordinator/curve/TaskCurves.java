package io.remuda.coordinator.curve;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The curves of an attempt.
 *
 * @param attempt as {@code JOB.TASK.ATTEMPT}
 * @param reported what its program has reported, by name
 * @param readings of its CPUs, memory and GPUs, once it has ended
 * @param notes what there is to say about values that are missing, by what it is about
 */
public record TaskCurves(
    String attempt,
    Map<String, TaskCurve> reported,
    List<Reading> readings,
    Map<String, String> notes) {

  public TaskCurves {
    reported = new TreeMap<>(reported);
    readings = List.copyOf(readings);
    notes = new TreeMap<>(notes);
  }

  /**
   * A reading of an ended attempt, at most {@value TaskCurve#MOST} points; values that are not
   * there are NaN.
   *
   * @param metric its name in the history
   * @param start time of the first point, in seconds since 1970
   * @param step time between points, in seconds
   */
  public record Reading(
      String metric, long start, int step, float[] mean, float[] minimum, float[] maximum) {}
}
