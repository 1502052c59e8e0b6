package io.remuda.coordinator.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The pairs of types that should not share a device because together they are hardly faster than
 * one after the other. Single-threaded.
 */
final class SlowPairs {

  /** Minimum combined speed of two types, in percent of the speed of one alone. */
  static final int WORTH = 110;

  private final Map<JobType, Map<JobType, Integer>> slow = new HashMap<>();
  private Map<JobType, Map<JobType, Integer>> copy = Map.of();

  /** Returns, by type, the types that it is slow with, and their combined speed in percent. */
  Map<JobType, Map<JobType, Integer>> slow() {
    if (copy == null) {
      Map<JobType, Map<JobType, Integer>> all = new HashMap<>();
      slow.forEach((type, others) -> all.put(type, Map.copyOf(others)));
      copy = Map.copyOf(all);
    }
    return copy;
  }

  /**
   * Updates the pairs of a type after a change of its profile.
   *
   * @param known returns the profiles of other types, null for none
   */
  void look(Profile profile, Function<JobType, Profile> known) {
    JobType type = profile.type();
    forget(type);
    for (PairSpeeds.Beside beside : profile.speeds().beside()) {
      JobType other = beside.type();
      together(profile, other.equals(type) ? profile : known.apply(other))
          .ifPresent(percent -> add(type, other, percent));
    }
  }

  /** Returns the combined speed of two types, empty if it is not measured or sufficient. */
  private static OptionalInt together(Profile one, Profile other) {
    if (other == null || !one.speeds().isSteady() || !other.speeds().isSteady()) {
      return OptionalInt.empty();
    }
    OptionalInt ones = one.speeds().speedBeside(other.type());
    OptionalInt others = other.speeds().speedBeside(one.type());
    boolean slow =
        ones.isPresent() && others.isPresent() && ones.getAsInt() + others.getAsInt() < WORTH;
    return slow ? OptionalInt.of(ones.getAsInt() + others.getAsInt()) : OptionalInt.empty();
  }

  private void add(JobType one, JobType other, int percent) {
    slow.computeIfAbsent(one, type -> new HashMap<>()).put(other, percent);
    slow.computeIfAbsent(other, type -> new HashMap<>()).put(one, percent);
    copy = null;
  }

  /** Removes all pairs of a type. */
  void forget(JobType type) {
    Map<JobType, Integer> others = slow.remove(type);
    if (others != null) {
      others.keySet().forEach(other -> remove(other, type));
      copy = null;
    }
  }

  private void remove(JobType one, JobType other) {
    slow.computeIfPresent(
        one,
        (type, others) -> {
          others.remove(other);
          return others.isEmpty() ? null : others;
        });
  }
}
