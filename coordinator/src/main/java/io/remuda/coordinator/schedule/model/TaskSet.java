package io.remuda.coordinator.schedule.model;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/**
 * Tasks in the order of their submission, stored as ranges of indexes: a million waiting tasks of
 * one array are one range. Single-threaded.
 */
public final class TaskSet extends AbstractCollection<TaskId> {

  /** The first task of each range, and its end index, exclusive; no range touches another. */
  private final NavigableMap<TaskId, Integer> ranges = new TreeMap<>();

  private int size;

  /** Creates a set of these tasks. */
  public static TaskSet of(Collection<TaskId> tasks) {
    TaskSet set = new TaskSet();
    set.addAll(tasks);
    return set;
  }

  @Override
  public int size() {
    return size;
  }

  /** Returns the number of ranges, which determines the memory used. */
  public int ranges() {
    return ranges.size();
  }

  @Override
  public boolean contains(Object other) {
    return other instanceof TaskId task && rangeOf(task) != null;
  }

  /** Returns the range that contains the task, or null. */
  private Map.Entry<TaskId, Integer> rangeOf(TaskId task) {
    Map.Entry<TaskId, Integer> range = ranges.floorEntry(task);
    return range != null && isOf(range, task.job()) && task.index() < range.getValue()
        ? range
        : null;
  }

  private static boolean isOf(Map.Entry<TaskId, Integer> range, JobId job) {
    return range.getKey().job().equals(job);
  }

  /**
   * Returns the first task.
   *
   * @throws NoSuchElementException if the set is empty
   */
  public TaskId first() {
    return ranges.firstKey();
  }

  /** Returns the first task after {@code task}, or null. */
  public TaskId higher(TaskId task) {
    Map.Entry<TaskId, Integer> range = ranges.floorEntry(task);
    return range != null && isOf(range, task.job()) && task.index() + 1 < range.getValue()
        ? new TaskId(task.job(), task.index() + 1)
        : ranges.higherKey(task);
  }

  @Override
  public boolean add(TaskId task) {
    return add(task.job(), task.index(), task.index() + 1);
  }

  /**
   * Adds a range.
   *
   * @param from index of its first task
   * @param to end index, exclusive
   * @return whether any of these tasks was new
   */
  public boolean add(JobId job, int from, int to) {
    if (from >= to) {
      return false;
    }
    int before = size;
    TaskId start = new TaskId(job, from);
    if (ranges.isEmpty() || ranges.lastKey().job().compareTo(job) < 0) {
      put(start, to); // as most are added: behind all others
      return true;
    }
    int end = to;
    Map.Entry<TaskId, Integer> touching = ranges.floorEntry(start);
    if (touching != null && isOf(touching, job) && touching.getValue() >= from) {
      start = touching.getKey();
      end = Math.max(end, touching.getValue());
      drop(touching);
    }
    for (Map.Entry<TaskId, Integer> next = ranges.ceilingEntry(start);
        next != null && isOf(next, job) && next.getKey().index() <= end;
        next = ranges.ceilingEntry(start)) {
      end = Math.max(end, next.getValue());
      drop(next);
    }
    put(start, end);
    return size != before;
  }

  private void drop(Map.Entry<TaskId, Integer> range) {
    ranges.remove(range.getKey());
    size -= range.getValue() - range.getKey().index();
  }

  private void put(TaskId start, int end) {
    if (start.index() < end) {
      ranges.put(start, end);
      size += end - start.index();
    }
  }

  @Override
  public boolean addAll(Collection<? extends TaskId> others) {
    if (!(others instanceof TaskSet set)) {
      return super.addAll(others);
    }
    int before = size;
    set.ranges.forEach((start, end) -> add(start.job(), start.index(), end));
    return size != before;
  }

  @Override
  public boolean remove(Object other) {
    Map.Entry<TaskId, Integer> range = other instanceof TaskId task ? rangeOf(task) : null;
    if (range == null) {
      return false;
    }
    TaskId task = (TaskId) other;
    drop(range);
    put(range.getKey(), task.index());
    if (task.index() + 1 < range.getValue()) {
      put(new TaskId(task.job(), task.index() + 1), range.getValue());
    }
    return true;
  }

  /**
   * Removes all tasks of a job.
   *
   * @return the number of removed tasks
   */
  public int removeAll(JobId job) {
    NavigableMap<TaskId, Integer> own =
        ranges.subMap(new TaskId(job, 0), true, new TaskId(job, Integer.MAX_VALUE), true);
    int gone = 0;
    for (Map.Entry<TaskId, Integer> range : own.entrySet()) {
      gone += range.getValue() - range.getKey().index();
    }
    own.clear();
    size -= gone;
    return gone;
  }

  /** Returns the number of tasks of a job. */
  public int count(JobId job) {
    int count = 0;
    for (Map.Entry<TaskId, Integer> range :
        ranges
            .subMap(new TaskId(job, 0), true, new TaskId(job, Integer.MAX_VALUE), true)
            .entrySet()) {
      count += range.getValue() - range.getKey().index();
    }
    return count;
  }

  /** Returns the first task of the jobs after this one, or null. */
  public TaskId firstAfter(JobId job) {
    return ranges.higherKey(new TaskId(job, Integer.MAX_VALUE));
  }

  @Override
  public Iterator<TaskId> iterator() {
    return new Iterator<>() {
      private TaskId next = ranges.isEmpty() ? null : first();

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public TaskId next() {
        if (next == null) {
          throw new NoSuchElementException();
        }
        TaskId task = next;
        next = higher(task);
        return task;
      }
    };
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    ranges.forEach(
        (start, end) ->
            text.append(text.isEmpty() ? "" : " ").append(start).append("..").append(end - 1));
    return text.toString();
  }
}
