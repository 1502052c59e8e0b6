package io.remuda.coordinator.registry.policy;

import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The use of each user in core-seconds. A GPU counts as {@link #CORES_OF_A_GPU} cores. Past use
 * decays with a half-life. A running task counts for at least the average duration of its user's
 * tasks; otherwise tasks that start together would count as nothing. Times are nanoseconds of one
 * monotonic clock. Single-threaded.
 */
public final class FairShareUsage {

  /** Number of cores that a GPU counts as. */
  public static final double CORES_OF_A_GPU = 16;

  /** Minimum weight in cores, for tasks that request no cores and GPUs. */
  private static final double LEAST_WEIGHT = 0.01;

  private static final double FIRST_GUESS_SECONDS = 60;
  private static final double NANOS = 1e9;
  private static final double UNFAIR = 2;

  /** Weight of the newest task in a user's moving average. */
  private static final double NEWEST = 0.2;

  private record Running(String user, double weight, long since) {}

  private final double halfLifeNanos;
  private final Map<String, Double> past = new HashMap<>();
  private final Map<String, Double> averageSeconds = new HashMap<>();
  private final Map<String, Double> shares = new HashMap<>();
  private final Map<TaskId, Running> running = new HashMap<>();
  private long fadedAt;

  public FairShareUsage(Duration halfLife, long now) {
    this.halfLifeNanos = halfLife.toNanos();
    this.fadedAt = now;
  }

  /** Returns the number of cores that a task counts as. */
  public static double weight(ResourceRequest needs) {
    return Math.max(LEAST_WEIGHT, needs.cpus() + CORES_OF_A_GPU * needs.gpus());
  }

  /** Sets a user's share of the cluster, relative to users with 1. */
  public void share(String user, double share) {
    shares.put(user, share);
  }

  public Map<String, Double> shares() {
    return Map.copyOf(shares);
  }

  public void started(TaskId task, String user, ResourceRequest needs, long now) {
    running.put(task, new Running(user, weight(needs), now));
  }

  public boolean isCharged(TaskId task) {
    return running.containsKey(task);
  }

  public void ended(TaskId task, long now) {
    Running one = running.remove(task);
    if (one == null) {
      return;
    }
    fade(now);
    double seconds = (now - one.since()) / NANOS;
    past.merge(one.user(), one.weight() * seconds, Double::sum);
    averageSeconds.merge(
        one.user(), seconds, (before, newest) -> before + NEWEST * (newest - before));
  }

  private void fade(long now) {
    double factor = Math.pow(0.5, (now - fadedAt) / halfLifeNanos);
    past.replaceAll((user, use) -> use * factor);
    fadedAt = now;
  }

  /** Returns what one task will add to its user's use, in core-seconds. */
  public double charge(String user, ResourceRequest needs) {
    return weight(needs) * averageSeconds.getOrDefault(user, FIRST_GUESS_SECONDS);
  }

  /** Returns the use of each user in core-seconds. */
  public Map<String, Double> use(long now) {
    fade(now);
    Map<String, Double> use = new HashMap<>(past);
    for (Running one : running.values()) {
      double expected = averageSeconds.getOrDefault(one.user(), FIRST_GUESS_SECONDS);
      double seconds = Math.max(expected, (now - one.since()) / NANOS);
      use.merge(one.user(), one.weight() * seconds, Double::sum);
    }
    return use;
  }

  /**
   * Returns what each user has used so far in core-seconds, without what running tasks are expected
   * to use: what is stored, for the next coordinator counts these from then on.
   */
  public Map<String, Double> usedSoFar(long now) {
    fade(now);
    Map<String, Double> use = new HashMap<>(past);
    running
        .values()
        .forEach(
            one -> use.merge(one.user(), one.weight() * (now - one.since()) / NANOS, Double::sum));
    return use;
  }

  /** Returns the use of each user in core-seconds, divided by the user's share. */
  public Map<String, Double> useByShare(long now) {
    Map<String, Double> use = use(now);
    use.replaceAll((user, seconds) -> seconds / shares.getOrDefault(user, 1.0));
    return use;
  }

  /**
   * Returns whether a user has used more than twice as much of their share as another one, and owes
   * places to them: with less, tasks of the two would take places from each other in turn.
   */
  public boolean owes(String user, String other, long now) {
    Map<String, Double> use = useByShare(now);
    return use.getOrDefault(user, 0.0) > UNFAIR * use.getOrDefault(other, 0.0);
  }

  /** Adds the use before this coordinator was started. */
  public void restore(String user, double coreSeconds) {
    past.merge(user, coreSeconds, Double::sum);
  }
}
