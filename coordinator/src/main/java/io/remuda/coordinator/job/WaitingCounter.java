package io.remuda.coordinator.job;

import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.List;

/**
 * Counts the tasks that wait, and those that have a place. Used only by the coordinator's actor.
 */
final class WaitingCounter {

  /** Jobs whose reason is looked at; with many nodes each has many, and this is asked often. */
  static final int MOST_EXPLAINED = 200;

  private static final String NOT_LOOKED_AT = "not-looked-at";

  private WaitingCounter() {}

  /**
   * Counts the tasks of all live jobs.
   *
   * @param now monotonic time in nanoseconds
   */
  static QueueCounts count(TaskRegistry tasks, long now) {
    QueueCounts.Collector counts = new QueueCounts.Collector();
    int explained = 0;
    for (LiveJob job : tasks.liveJobs()) {
      int running = 0;
      int waiting = 0;
      for (TaskState state : TaskState.values()) {
        int count = job.count(state);
        running += state.holdsPlace() ? count : 0;
        waiting += state.holdsPlace() || state.isFinal() ? 0 : count;
      }
      String why = null;
      if (waiting > 0) {
        why = explained < MOST_EXPLAINED ? firstReason(tasks, job, now) : NOT_LOOKED_AT;
        explained++;
      }
      counts.add(job.spec().user(), waiting, running, why);
    }
    return counts.counts();
  }

  /** Returns the name of the first reason, such as {@code on-hold}; null if none is known. */
  private static String firstReason(TaskRegistry tasks, LiveJob job, long now) {
    TaskRecord first = job.firstBefore();
    List<WaitReason> reasons = first == null ? List.of() : tasks.whyWaiting(first.id(), now);
    return reasons.isEmpty() ? null : reasons.get(0).label();
  }
}
