package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.TaskClass;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long tasks of each kind have taken lately, and so how many of them a node may be given at
 * once for one slot. One thread.
 */
final class RecentDurations {

  /** A slot never has more tasks than this. */
  private static final int MOST = 64;

  private static final int MOST_KINDS = 1000;

  /** How much the newest task moves the average. */
  private static final double NEWEST = 0.2;

  private final long aheadMillis;
  private final Map<TaskClass.SchedulingKey, Double> averageMillis =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskClass.SchedulingKey, Double> eldest) {
          return size() > MOST_KINDS;
        }
      };

  RecentDurations(Duration ahead) {
    this.aheadMillis = ahead.toMillis();
  }

  /** A task of the kind took so long from its start to its end. */
  void ran(TaskClass.SchedulingKey key, long millis) {
    if (aheadMillis > 0) {
      averageMillis.merge(
          key, (double) millis, (before, newest) -> before + NEWEST * (newest - before));
    }
  }

  /** One takes so much longer than those before it that others must not wait behind it. */
  void slowed(TaskClass.SchedulingKey key) {
    averageMillis.merge(key, 5.0 * aheadMillis, Math::max);
  }

  /** How many tasks of the kind a slot may have, with the one that runs; 1 for no more than it. */
  int tasksOfSlot(TaskClass.SchedulingKey key) {
    Double average = key.gang() != null || key.needs().gpus() > 0 ? null : averageMillis.get(key);
    return average == null ? 1 : (int) Math.min(MOST, aheadMillis / Math.max(1, average));
  }
}
