package io.remuda.worker.job.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What each task of a job has for itself: one value of every axis. The job's command is stored once
 * and filled with them when a task starts.
 *
 * @param axes in what the tasks differ; the values of the last one change fastest
 * @param picked the positions that are left of the sweep, for a job that repeats some tasks of
 *     another one; null for all
 * @param of number of tasks of a job without axes of which some are picked; 0 with axes
 */
public record Sweep(
    List<SweepAxis> axes,
    @JsonInclude(JsonInclude.Include.NON_NULL) IndexRanges picked,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int of) {

  /** Greatest number of tasks. */
  public static final int MOST = 1_000_000;

  private static final int MOST_LOOKED_AT = 100;

  private static final int MOST_PARTS = 1000;

  public Sweep {
    axes = List.copyOf(axes);
    if (axes.isEmpty() && (of < 1 || picked == null)) {
      throw new IllegalArgumentException("a sweep without axes is of some tasks, got " + of);
    }
    long tasks = whole(axes, of);
    if (tasks > MOST) {
      throw new IllegalArgumentException("a sweep has at most " + MOST + " tasks, got " + tasks);
    }
    if (picked != null && picked.greatest() >= tasks) {
      throw new IllegalArgumentException(
          "task " + picked.greatest() + " of a sweep of " + tasks + " is picked");
    }
  }

  /** All values of some axes. */
  public static Sweep of(List<SweepAxis> axes) {
    return new Sweep(axes, null, 0);
  }

  /** Some tasks of a job of {@code of} alike tasks. */
  public static Sweep some(IndexRanges picked, int of) {
    return new Sweep(List.of(), picked, of);
  }

  private static long whole(List<SweepAxis> axes, int of) {
    long tasks = axes.isEmpty() ? of : 1;
    for (SweepAxis axis : axes) {
      tasks = Math.min(Long.MAX_VALUE / MOST - 1, tasks * axis.size());
    }
    return tasks;
  }

  /** Returns the number of tasks. */
  @JsonIgnore
  public int size() {
    return picked == null ? (int) whole(axes, of) : picked.size();
  }

  private int position(int task) {
    return picked == null ? task : picked.get(task);
  }

  /** Returns what a task has for itself. */
  public TaskParameters parameters(int task) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> variables = new LinkedHashMap<>();
    int[] at = at(task);
    for (int axis = 0; axis < at.length; axis++) {
      axes.get(axis).add(at[axis], values, variables);
    }
    if (picked != null) { // a script may choose its part of the work by them
      variables.put("REMUDA_TASK_INDEX", Integer.toString(position(task)));
      variables.put("REMUDA_TASK_COUNT", Long.toString(whole(axes, of)));
    }
    return new TaskParameters(values, variables);
  }

  /** Returns the values of a task by name, in the order of the axes. */
  public Map<String, String> values(int task) {
    Map<String, String> values = new LinkedHashMap<>();
    int[] at = at(task);
    for (int axis = 0; axis < at.length; axis++) {
      axes.get(axis).add(at[axis], values, new LinkedHashMap<>());
    }
    return values;
  }

  /** Returns the position of a task in the values of each axis. */
  private int[] at(int task) {
    int[] at = new int[axes.size()];
    int rest = position(task);
    for (int axis = at.length - 1; axis >= 0; axis--) {
      at[axis] = rest % axes.get(axis).size();
      rest /= axes.get(axis).size();
    }
    return at;
  }

  /** Returns the index of the array that the user has given a task, or the task's own without. */
  public int arrayIndex(int task) {
    int[] at = at(task);
    for (int axis = 0; axis < at.length; axis++) {
      if (axes.get(axis) instanceof SweepAxis.Indices given) {
        return given.indices().get(at[axis]);
      }
    }
    return position(task);
  }

  /** Returns whether the array index of a task may be another number than its own. */
  public boolean renumbers() {
    return picked != null && !picked.isCount()
        || axes.stream()
            .anyMatch(
                axis ->
                    axis instanceof SweepAxis.Indices given
                        && (axes.size() > 1 || !given.indices().isCount()));
  }

  /**
   * Returns the array indices of its tasks in their order; empty if they are the tasks' numbers, if
   * several tasks may have one, or if they are in very many parts.
   */
  public Optional<IndexRanges> indices() {
    boolean given = axes.stream().anyMatch(SweepAxis.Indices.class::isInstance);
    if (!renumbers() || (given && axes.size() > 1)) {
      return Optional.empty();
    }
    IndexRanges all = picked;
    if (given) {
      all =
          picked == null
              ? ((SweepAxis.Indices) axes.get(0)).indices()
              : IndexRanges.of(arrayIndices());
    }
    return Optional.of(all).filter(ranges -> ranges.parts() <= MOST_PARTS);
  }

  private int[] arrayIndices() {
    int[] indices = new int[size()];
    Arrays.setAll(indices, this::arrayIndex);
    return indices;
  }

  /** Returns a sweep of these of its tasks, in ascending order. */
  public Sweep of(int[] tasks) {
    int[] positions = new int[tasks.length];
    for (int task = 0; task < tasks.length; task++) {
      positions[task] = position(tasks[task]);
    }
    return new Sweep(axes, IndexRanges.of(positions), of);
  }

  /** Returns the names that stand for values in texts, at least those of the first tasks. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (SweepAxis axis : axes) {
      for (int value = 0; value < Math.min(axis.size(), MOST_LOOKED_AT); value++) {
        Map<String, String> values = new LinkedHashMap<>();
        axis.add(value, values, new LinkedHashMap<>());
        names.addAll(values.keySet());
      }
    }
    return names;
  }

  /** Returns about how many bytes it takes in memory. */
  @JsonIgnore
  public long bytes() {
    long picks = picked == null ? 0 : 40L * picked.parts();
    return picks + axes.stream().mapToLong(SweepAxis::bytes).sum();
  }
}
