package io.remuda.coordinator.job;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Counts the tasks that wait, and those that have a place. Used only by the coordinator's actor.
 */
final class WaitingCounter {

  /** Jobs whose reason is looked at; with many nodes each has many, and this is asked often. */
  static final int MOST_EXPLAINED = 200;

  /**
   * What was counted.
   *
   * @param jobs why jobs wait, of those that were looked at
   */
  record Waits(QueueCounts counts, List<JobWait> jobs) {}

  private WaitingCounter() {}

  /**
   * Counts the tasks of all live jobs.
   *
   * @param forecasts what is expected of waiting jobs
   * @param now monotonic time in nanoseconds
   */
  static Waits count(TaskRegistry tasks, Map<JobId, JobForecast> forecasts, long now) {
    QueueCounts.Collector counts = new QueueCounts.Collector();
    List<JobWait> waits = new ArrayList<>();
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
        JobWait wait = explained < MOST_EXPLAINED ? wait(tasks, job, forecasts, now) : null;
        if (wait != null) {
          waits.add(wait);
          why = wait.reasons().get(0).label();
        } else if (explained >= MOST_EXPLAINED) {
          why = QueueCounts.NOT_LOOKED_AT;
        }
        explained++;
      }
      counts.add(job.spec().user(), waiting, running, why);
    }
    return new Waits(counts.counts(), waits);
  }

  /** Returns why the first task of a job waits; null if that is not known. */
  private static JobWait wait(
      TaskRegistry tasks, LiveJob job, Map<JobId, JobForecast> forecasts, long now) {
    TaskRecord first = job.firstBefore();
    List<WaitReason> reasons = first == null ? List.of() : tasks.whyWaiting(first.id(), now);
    return reasons.isEmpty()
        ? null
        : new JobWait(
            job.spec().id(),
            first.id().index(),
            reasons,
            job.spec().request().gpus() > 0,
            forecasts.get(job.spec().id()));
  }
}
