package io.remuda.coordinator.simulate;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How good a schedule is. The time of a job is from its arrival to its end, its wait is what of
 * that it would not need alone. Times are in seconds.
 *
 * @param jobs number of jobs
 * @param meanTime of a job
 * @param p50Time half of the jobs take no longer
 * @param p99Time 99 % of the jobs take no longer
 * @param meanWait of a job
 * @param p99Wait 99 % of the jobs wait no longer
 * @param meanFirstStart from arrival to the first start
 * @param preemptions number of them
 * @param useful part of all GPU time, from the first arrival to the last end, that jobs needed
 * @param fairness Jain's index over the users of the mean of duration / time; 1 if all are alike
 *     (Jain, Chiu and Hawe, "A quantitative measure of fairness", 1984)
 */
public record ScheduleSummary(
    int jobs,
    double meanTime,
    double p50Time,
    double p99Time,
    double meanWait,
    double p99Wait,
    double meanFirstStart,
    long preemptions,
    double useful,
    double fairness) {

  private static final double MILLIS = 1000;

  static ScheduleSummary of(Collection<JobRun> runs, int gpus, List<ScheduleEvent> events) {
    double[] times = new double[runs.size()];
    double[] waits = new double[runs.size()];
    double firstStarts = 0;
    double gpuSeconds = 0;
    double begin = Double.POSITIVE_INFINITY;
    double end = 0;
    Map<String, double[]> users = new HashMap<>();
    int i = 0;
    for (JobRun run : runs) {
      SimulatedJob job = run.job();
      times[i] = (run.finishedAt() - job.arrivalMillis()) / MILLIS;
      double alone = job.durationMillis() / MILLIS;
      waits[i] = Math.max(0, times[i] - alone);
      firstStarts += (run.firstStart() - job.arrivalMillis()) / MILLIS;
      gpuSeconds += alone * job.gpus();
      begin = Math.min(begin, job.arrivalMillis() / MILLIS);
      end = Math.max(end, run.finishedAt() / MILLIS);
      double[] user = users.computeIfAbsent(job.key().user(), any -> new double[2]);
      user[0] += times[i] <= 0 ? 1 : Math.min(1, alone / times[i]);
      user[1]++;
      i++;
    }
    Arrays.sort(times);
    Arrays.sort(waits);
    return new ScheduleSummary(
        times.length,
        Arrays.stream(times).average().orElse(0),
        quantile(times, 0.5),
        quantile(times, 0.99),
        Arrays.stream(waits).average().orElse(0),
        quantile(waits, 0.99),
        firstStarts / Math.max(1, times.length),
        events.stream().filter(one -> one.kind() == ScheduleEvent.Kind.PREEMPT).count(),
        gpuSeconds / (gpus * Math.max(1, end - begin)),
        jain(users.values()));
  }

  private static double quantile(double[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }

  private static double jain(Collection<double[]> users) {
    double sum = 0;
    double squares = 0;
    for (double[] user : users) {
      double mean = user[0] / user[1];
      sum += mean;
      squares += mean * mean;
    }
    return squares == 0 ? 1 : sum * sum / (users.size() * squares);
  }
}
