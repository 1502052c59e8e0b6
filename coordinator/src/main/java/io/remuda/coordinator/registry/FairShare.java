package io.remuda.coordinator.registry;

import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Who has used how much. Use is counted in core-seconds, a GPU as {@link #CORES_OF_A_GPU} cores,
 * and fades with a half-life, so that what was long ago does not count. A task that has just begun
 * counts for as long as its user's tasks take on average, or else several that start together would
 * look like none. Times are nanoseconds of one monotonic clock. One thread.
 */
public final class FairShare {

  /** What a whole GPU counts for. */
  public static final double CORES_OF_A_GPU = 16;

  /** So that a task that asks for nothing is not free. */
  private static final double LEAST_WEIGHT = 0.01;

  private static final double FIRST_GUESS_SECONDS = 60;
  private static final double NANOS = 1e9;

  /** How much the newest task moves a user's average. */
  private static final double NEWEST = 0.2;

  private record Running(String user, double weight, long since) {}

  private final double halfLifeNanos;
  private final Map<String, Double> past = new HashMap<>();
  private final Map<String, Double> averageSeconds = new HashMap<>();
  private final Map<String, Double> shares = new HashMap<>();
  private final Map<TaskId, Running> running = new HashMap<>();
  private long fadedAt;

  FairShare(Duration halfLife, long now) {
    this.halfLifeNanos = halfLife.toNanos();
    this.fadedAt = now;
  }

  /** How many cores a task counts for. */
  public static double weight(ResourceRequest needs) {
    return Math.max(LEAST_WEIGHT, needs.cpus() + CORES_OF_A_GPU * needs.gpus());
  }

  /** From now on the user is due {@code share} times what one with 1 is. */
  void share(String user, double share) {
    shares.put(user, share);
  }

  Map<String, Double> shares() {
    return Map.copyOf(shares);
  }

  void started(TaskId task, String user, ResourceRequest needs, long now) {
    running.put(task, new Running(user, weight(needs), now));
  }

  boolean isCharged(TaskId task) {
    return running.containsKey(task);
  }

  void ended(TaskId task, long now) {
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

  /** What starting one task adds to its user's use. */
  double charge(String user, ResourceRequest needs) {
    return weight(needs) * averageSeconds.getOrDefault(user, FIRST_GUESS_SECONDS);
  }

  /** The use of each user so far, in core-seconds. */
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

  /** The same for each unit of the user's share. */
  Map<String, Double> useByShare(long now) {
    Map<String, Double> use = use(now);
    use.replaceAll((user, seconds) -> seconds / shares.getOrDefault(user, 1.0));
    return use;
  }

  /** What was used before this coordinator was started. */
  void restore(String user, double coreSeconds) {
    past.merge(user, coreSeconds, Double::sum);
  }
}
