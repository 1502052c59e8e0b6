package io.remuda.coordinator.replay;

import io.remuda.telemetry.model.DeviceId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How good a schedule was. The wait of a task is the time from when it might start, which is after
 * the jobs that it depends on, to its end, without that in which it ran. Tasks that had a place at
 * the beginning do not count. Waits are in seconds.
 *
 * @param tasks number of tasks that count
 * @param meanWait of a task
 * @param p50Wait half of the tasks wait no longer
 * @param p90Wait nine of ten wait no longer
 * @param maxWait the longest
 * @param gpusHeld part of all GPU time in which tasks had the GPUs, from 0 to 1; NaN without GPUs
 * @param preemptions how often tasks were asked to leave
 * @param fairness Jain's index over the users of the mean of run time / (wait + run time); 1 if all
 *     are alike (Jain, Chiu and Hawe, "A quantitative measure of fairness", 1984)
 * @param leftOut tasks that fit nowhere, also if nothing else runs
 */
public record ReplaySummary(
    int tasks,
    double meanWait,
    double p50Wait,
    double p90Wait,
    double maxWait,
    double gpusHeld,
    long preemptions,
    double fairness,
    int leftOut) {

  private static final double MILLIS = 1000;

  /** Collects what becomes of tasks. Single-threaded. */
  static final class Builder {
    private final long fromMillis;
    private final long toMillis;
    private final int gpus;
    private final List<Double> waits = new ArrayList<>();
    private final Map<String, double[]> users = new HashMap<>();
    private final List<PastTask.GpuTime> held = new ArrayList<>();
    private long preemptions;

    /** Collects of a time in milliseconds, on so many GPUs. */
    Builder(long fromMillis, long toMillis, int gpus) {
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
      this.gpus = gpus;
    }

    void preempted(int times) {
      preemptions += times;
    }

    /** A task ends so many milliseconds after it might start, of which it ran so many. */
    void task(String user, long tookMillis, long ranMillis) {
      double wait = Math.max(0, tookMillis - ranMillis) / MILLIS;
      double ran = ranMillis / MILLIS;
      waits.add(wait);
      double[] sums = users.computeIfAbsent(user, any -> new double[2]);
      sums[0] += wait + ran <= 0 ? 1 : ran / (wait + ran);
      sums[1]++;
    }

    void held(DeviceId gpu, long from, long to) {
      if (to > fromMillis && from < toMillis) {
        held.add(new PastTask.GpuTime(gpu, Math.max(from, fromMillis), Math.min(to, toMillis)));
      }
    }

    ReplaySummary summary(int leftOut) {
      double[] sorted = waits.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return new ReplaySummary(
          sorted.length,
          Arrays.stream(sorted).average().orElse(0),
          quantile(sorted, 0.5),
          quantile(sorted, 0.9),
          quantile(sorted, 1),
          gpus == 0 ? Double.NaN : Math.min(1, heldMillis() / (gpus * (double) span())),
          preemptions,
          fairness(),
          leftOut);
    }

    private long span() {
      return Math.max(1, toMillis - fromMillis);
    }

    /** Returns for how long GPUs were held; a time in which several tasks had one counts once. */
    private double heldMillis() {
      held.sort(
          Comparator.comparing((PastTask.GpuTime one) -> one.gpu().uuid())
              .thenComparing(PastTask.GpuTime::fromMillis));
      double sum = 0;
      DeviceId gpu = null;
      long until = 0;
      for (PastTask.GpuTime one : held) {
        until = one.gpu().equals(gpu) ? until : one.fromMillis();
        gpu = one.gpu();
        sum += Math.max(0, one.toMillis() - Math.max(until, one.fromMillis()));
        until = Math.max(until, one.toMillis());
      }
      return sum;
    }

    private double fairness() {
      double sum = 0;
      double squares = 0;
      for (double[] user : users.values()) {
        double mean = user[0] / user[1];
        sum += mean;
        squares += mean * mean;
      }
      return squares == 0 ? 1 : sum * sum / (users.size() * squares);
    }
  }

  private static double quantile(double[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }
}
