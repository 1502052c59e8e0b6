package io.remuda.coordinator.replay;

import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.UserLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster did in a time.
 *
 * @param fromMillis its beginning, in milliseconds since 1970
 * @param toMillis its end
 * @param jobs those that had a place in it, by number
 * @param nodes the nodes as they are now
 * @param rules how the server decides now
 * @param shares of users, where they are known
 * @param limits of users, where they are known
 * @param unknown what of this past is not known, each a sentence
 */
public record Past(
    long fromMillis,
    long toMillis,
    List<PastJob> jobs,
    ReplayNodes nodes,
    SchedulingSettings rules,
    Map<String, Double> shares,
    Map<String, UserLimits> limits,
    List<String> unknown) {

  public Past {
    jobs = List.copyOf(jobs);
    shares = Map.copyOf(shares);
    limits = Map.copyOf(limits);
    unknown = List.copyOf(unknown);
  }

  /** Returns the number of its tasks. */
  public int tasks() {
    return jobs.stream().mapToInt(job -> job.tasks().size()).sum();
  }

  /** Returns the number of users whose jobs they are. */
  public int users() {
    return (int) jobs.stream().map(job -> job.spec().user()).distinct().count();
  }

  /** Returns how it was. */
  public ReplaySummary asItWas() {
    Map<Long, Long> ends = new HashMap<>();
    jobs.forEach(job -> ends.put(job.spec().id().value(), job.endedMillis()));
    ReplaySummary.Builder sums = new ReplaySummary.Builder(fromMillis, toMillis, nodes.gpus());
    for (PastJob job : jobs) {
      long ready = Math.max(fromMillis, job.submittedMillis());
      for (long before : job.after()) {
        ready = Math.max(ready, ends.getOrDefault(before, 0L));
      }
      for (PastTask task : job.tasks()) {
        sums.preempted(task.preemptions());
        task.held().forEach(one -> sums.held(one.gpu(), one.fromMillis(), one.toMillis()));
        if (!task.runsAt(fromMillis)) {
          sums.task(job.spec().user(), task.endedMillis() - ready, task.ranMillis());
        }
      }
    }
    return sums.summary(0);
  }
}
