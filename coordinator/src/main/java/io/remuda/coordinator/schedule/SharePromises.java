package io.remuda.coordinator.schedule;

import io.remuda.coordinator.profile.JobType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How fast tasks of a type are beside one of another type, and what running tasks were promised.
 *
 * <p>With {@code s(a|b)} the measured speed of type a beside type b in percent of its speed alone,
 * and {@code p(a)} the promise to a, both share a device only if s(a|b) ≥ p(a) and s(b|a) ≥ p(b),
 * as far as these are known. A pair that is not known yet is tried.
 *
 * @param speeds by type, s(a|b) by b
 * @param promised highest promise to a running task of each type in percent; 0 for missing types
 */
public record SharePromises(
    Map<JobType, Map<JobType, Integer>> speeds, Map<JobType, Integer> promised) {

  /** Nothing is promised. */
  public static final SharePromises NONE = new SharePromises(Map.of(), Map.of());

  private static final int ALL = 100;

  public SharePromises {
    speeds = Map.copyOf(speeds);
    promised = Map.copyOf(promised);
  }

  /**
   * Returns the types that tasks of a type must not share a device with, and their combined speed.
   *
   * @param slow those for other reasons
   * @param promise what the tasks are promised, in percent; 0 for nothing
   */
  Map<JobType, Integer> and(Map<JobType, Integer> slow, JobType type, int promise) {
    if (speeds.isEmpty() || promise == 0 && promised.isEmpty()) {
      return slow;
    }
    Map<JobType, Integer> all = new HashMap<>(slow);
    Map<JobType, Integer> own = speeds.getOrDefault(type, Map.of());
    own.forEach(
        (other, speed) -> {
          if (speed < promise) {
            all.putIfAbsent(other, speed + speed(other, type));
          }
        });
    promised.forEach(
        (other, least) -> {
          int speed = speed(other, type);
          if (speed < least) {
            all.putIfAbsent(other, speed + own.getOrDefault(other, ALL));
          }
        });
    return all;
  }

  /** Returns these promises and that to one more task; {@code type} may be null. */
  SharePromises alsoTo(JobType type, int promise) {
    if (type == null || promise <= promised.getOrDefault(type, 0)) {
      return this;
    }
    Map<JobType, Integer> all = new HashMap<>(promised);
    all.put(type, promise);
    return new SharePromises(speeds, all);
  }

  /** Returns those of some types whose tasks were never seen beside one of a type. */
  Map<JobType, Integer> untried(JobType type, Set<JobType> others) {
    Map<JobType, Integer> untried = new HashMap<>();
    for (JobType other : others) {
      if (!speeds.getOrDefault(type, Map.of()).containsKey(other)) {
        untried.put(other, ALL);
      }
    }
    return untried;
  }

  /** Returns the speed of a type beside another in percent; that alone if it is not known. */
  private int speed(JobType type, JobType beside) {
    return speeds.getOrDefault(type, Map.of()).getOrDefault(beside, ALL);
  }
}
