package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.LearnedDurations;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The average recent durations of tasks by class and by job, and the number of tasks that may be
 * queued for a slot. Single-threaded.
 */
public final class RecentDurations implements MeasuredTimes {

  /** Maximum number of tasks of a slot. */
  private static final int MOST = 64;

  private static final int MOST_KINDS = 1000;

  /** Weight of the newest task in the moving average. */
  private static final double NEWEST = 0.2;

  private final LearnedDurations learned = new LearnedDurations();

  /** How long running tasks had run when this was last noted of them. */
  private final NavigableMap<TaskId, Long> told = new TreeMap<>();

  private final long aheadMillis;
  private final Map<TaskClass.SchedulingKey, Double> averageMillis =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskClass.SchedulingKey, Double> eldest) {
          return size() > MOST_KINDS;
        }
      };

  private final Map<JobId, Double> ofJobs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Double> eldest) {
          return size() > MOST_KINDS;
        }
      };

  public RecentDurations(Duration ahead) {
    this.aheadMillis = ahead.toMillis();
  }

  /** Returns what was learned of all tasks that have ended. */
  public LearnedDurations learned() {
    return learned;
  }

  /**
   * Notes that a task runs, or a gang that its first task stands for: those that have ended so far
   * are the short ones, which says nothing of the others.
   *
   * @param gpus of all tasks of the gang
   * @param millis how long it has run in all
   */
  public void runs(TaskId first, int gpus, long millis) {
    Long before = told.put(first, millis);
    learned.ran(gpus, before == null ? 0 : before, millis);
  }

  /** Forgets an ended job. */
  public void forget(JobId job) {
    told.subMap(new TaskId(job, 0), true, new TaskId(job, Integer.MAX_VALUE), true).clear();
  }

  /**
   * Adds the duration of a task that has ended by itself, or of a gang when its first task has.
   *
   * @param gpus of all tasks of the gang
   */
  public void ran(TaskId task, TaskClass.SchedulingKey key, int gpus, long millis) {
    if (key.gang() != null && task.index() > 0) {
      return;
    }
    JobId job = task.job();
    Long noted = told.remove(task);
    long all = Math.max(0, millis);
    learned.ended(Math.max(1, gpus), noted == null ? 0 : Math.min(all, noted), all);
    ofJobs.merge(job, (double) millis, (before, newest) -> before + NEWEST * (newest - before));
    if (aheadMillis > 0) {
      averageMillis.merge(
          key, (double) millis, (before, newest) -> before + NEWEST * (newest - before));
    }
  }

  @Override
  public OptionalLong millis(JobId job) {
    Double average = ofJobs.get(job);
    return average == null ? OptionalLong.empty() : OptionalLong.of(Math.round(average));
  }

  /** Raises the average when a task takes so long that no others may be queued behind it. */
  public void slowed(TaskClass.SchedulingKey key) {
    averageMillis.merge(key, 5.0 * aheadMillis, Math::max);
  }

  /** Returns how many tasks of the class a slot may have, including the running one; at least 1. */
  public int tasksOfSlot(TaskClass.SchedulingKey key) {
    Double average = key.gang() != null || key.needs().gpus() > 0 ? null : averageMillis.get(key);
    return average == null ? 1 : (int) Math.min(MOST, aheadMillis / Math.max(1, average));
  }
}
