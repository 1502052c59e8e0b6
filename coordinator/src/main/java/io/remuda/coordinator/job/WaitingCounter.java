package io.remuda.coordinator.job;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.QueueCounts;
import io.remuda.coordinator.registry.LiveJob;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.load.QueueLoad;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says how many tasks wait, and why, and how many have a place. Used only by the coordinator's
 * actor.
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
   * Looks at the first waiting jobs; the numbers of all tasks are known.
   *
   * @param forecasts what is expected of waiting jobs
   * @param now monotonic time in nanoseconds
   */
  static Waits count(TaskRegistry tasks, Map<JobId, JobForecast> forecasts, long now) {
    QueueLoad load = tasks.load();
    Map<String, Integer> byReason = new HashMap<>();
    List<JobWait> waits = new ArrayList<>();
    int looked = 0;
    int left = load.waiting();
    for (Map.Entry<JobId, Integer> job : load.jobs().entrySet()) {
      if (looked == MOST_EXPLAINED) {
        byReason.put(QueueCounts.NOT_LOOKED_AT, left);
        break;
      }
      looked++;
      left -= job.getValue();
      JobWait wait = wait(tasks, tasks.live(job.getKey()).orElseThrow(), forecasts, now);
      if (wait != null) {
        waits.add(wait);
        byReason.merge(wait.reasons().get(0).label(), job.getValue(), Integer::sum);
      }
    }
    Map<String, QueueCounts.Share> byUser = new HashMap<>();
    load.users()
        .forEach(
            (user, has) -> byUser.put(user, new QueueCounts.Share(has.waiting(), has.running())));
    return new Waits(new QueueCounts(load.waiting(), load.running(), byUser, byReason), waits);
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
