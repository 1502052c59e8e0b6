package io.remuda.coordinator.registry;

import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.TaskSet;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A waiting task or gang for which others leave. Times are in nanoseconds of the monotonic clock.
 * Single-threaded.
 */
final class PlaceClaim {
  private final TaskClass.SchedulingKey key;
  private final JobId job;
  private final TaskSet named;
  private final Set<AttemptId> victims;
  private final Set<String> nodes;
  private final long leaveNanos;
  private final long until;

  /** When the last victim had left; 0 before. */
  private long freeSince;

  /**
   * @param job whose task it is
   * @param named the task or gang that gets the place; null if it is the next one of its class
   * @param victims those that leave; it removes those that have left
   * @param nodes where it starts
   * @param leaveNanos how long its victims may take to leave
   * @param until when its victims must have left
   */
  PlaceClaim(
      TaskClass.SchedulingKey key,
      JobId job,
      TaskSet named,
      Set<AttemptId> victims,
      Set<String> nodes,
      long leaveNanos,
      long until) {
    this.key = key;
    this.job = job;
    this.named = named;
    this.victims = victims;
    this.nodes = nodes;
    this.leaveNanos = leaveNanos;
    this.until = until;
  }

  TaskClass.SchedulingKey key() {
    return key;
  }

  int priority() {
    return key.priority();
  }

  JobId job() {
    return job;
  }

  TaskSet named() {
    return named;
  }

  Set<AttemptId> victims() {
    return victims;
  }

  Set<String> nodes() {
    return nodes;
  }

  long leaveNanos() {
    return leaveNanos;
  }

  long until() {
    return until;
  }

  /** Notes which victims are still there. */
  void look(Predicate<AttemptId> isThere, long now) {
    victims.removeIf(isThere.negate());
    if (victims.isEmpty() && freeSince == 0) {
      freeSince = now;
    }
  }

  /** Returns whether all victims had left at the last look. */
  boolean isFree() {
    return freeSince != 0;
  }

  /** Returns for how long all victims have left. */
  long freeFor(long now) {
    return now - freeSince;
  }

  /**
   * Returns for whom the place is; null if nobody waits.
   *
   * @param line the waiting tasks of its class, or null for none
   */
  TaskClass wanted(TaskSet line) {
    boolean waits = line != null && (named == null || line.containsAll(named));
    if (!waits) {
      return null;
    }
    return named == null
        ? TaskClass.first(key, line, 1)
        : new TaskClass(key, named, 0, TaskClass.Overtaking.ALLOWED);
  }
}
