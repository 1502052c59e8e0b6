package io.remuda.coordinator.replay;

import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Tries whether jobs fit on nodes on which nothing else runs. Single-threaded. */
final class FitTrial {

  private static final long NOW = 1_000_000_000;
  private static final RetryPolicy RETRY =
      new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofDays(1));

  private record Needs(ResourceRequest request, GangTerms gang, int tasks) {}

  private final ReplayNodes nodes;
  private final SchedulingSettings rules;
  private final Map<Needs, Boolean> tried = new HashMap<>();

  FitTrial(ReplayNodes nodes, SchedulingSettings rules) {
    this.nodes = nodes;
    this.rules = rules;
  }

  /** Returns whether a task of the job can start on the empty nodes, or its whole gang. */
  boolean fits(JobSpec job) {
    Needs needs = new Needs(job.request(), job.terms().gang(), gang(job));
    return tried.computeIfAbsent(needs, any -> starts(job));
  }

  private static int gang(JobSpec job) {
    return job.terms().gang() == null ? 0 : job.tasks().size();
  }

  private boolean starts(JobSpec job) {
    TaskRegistry registry = new TaskRegistry(RETRY, rules, NOW);
    registry.submit(job, NOW);
    return !registry.schedule(nodes.registry().all(), NOW).isEmpty();
  }
}
