package io.remuda.coordinator.registry.forecast;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.order.LearnedDurations;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

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

  /** Adds the duration of a task. */
  public void ran(JobId job, TaskClass.SchedulingKey key, long millis) {
    learned.ended(Math.max(1, key.needs().gpus()), 0, Math.max(0, millis));
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
