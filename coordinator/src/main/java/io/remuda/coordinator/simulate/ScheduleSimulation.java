package io.remuda.coordinator.simulate;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Runs the jobs of a trace on nodes by the scheduler of the job service, in moved time. */
public final class ScheduleSimulation {

  private final Map<String, Integer> nodes;
  private final List<SimulatedJob> jobs;

  private ScheduleSimulation(Map<String, Integer> nodes, List<SimulatedJob> jobs) {
    this.nodes = nodes;
    this.jobs = jobs;
  }

  /**
   * Reads the nodes and the jobs.
   *
   * @param finder returns where a file is that the user has named so
   */
  public static ScheduleSimulation read(Path cluster, Path trace, UnaryOperator<Path> finder)
      throws IOException, BadTableException {
    Map<String, Integer> nodes = SimulatedTrace.nodes(cluster, finder);
    return new ScheduleSimulation(nodes, SimulatedTrace.jobs(trace, finder, nodes));
  }

  /** Returns the number of jobs. */
  public int size() {
    return jobs.size();
  }

  /**
   * Runs all jobs.
   *
   * @param progress gets the number of ended jobs, after each
   */
  public ScheduleRun run(
      OrderPolicies policy,
      KnownDurations durations,
      PreemptionCost overheads,
      LongConsumer progress) {
    return run(policy, durations, overheads).all(progress);
  }

  private ScheduleRun run(
      OrderPolicies policy, KnownDurations durations, PreemptionCost overheads) {
    return new ScheduleRun(nodes, jobs, policy.policy(), durations, overheads);
  }

  /** Runs all jobs, and notes when they are shown to start; this takes much longer. */
  public ScheduleRun runShowingStarts(
      OrderPolicies policy,
      KnownDurations durations,
      PreemptionCost overheads,
      LongConsumer progress) {
    return run(policy, durations, overheads).showingStarts().all(progress);
  }
}
