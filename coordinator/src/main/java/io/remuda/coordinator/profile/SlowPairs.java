package io.remuda.coordinator.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Which types are not worth to share a device: together they are hardly faster than one after the
 * other. One thread.
 */
final class SlowPairs {

  /** What two types have to reach together, in percent of the speed that each has alone. */
  static final int WORTH = 110;

  private final Map<JobType, Map<JobType, Integer>> slow = new HashMap<>();
  private Map<JobType, Map<JobType, Integer>> copy = Map.of();

  /** By type those beside which it is slow, with what both reach together in percent. */
  Map<JobType, Map<JobType, Integer>> slow() {
    if (copy == null) {
      Map<JobType, Map<JobType, Integer>> all = new HashMap<>();
      slow.forEach((type, others) -> all.put(type, Map.copyOf(others)));
      copy = Map.copyOf(all);
    }
    return copy;
  }

  /**
   * Something else is known of a type.
   *
   * @param known profiles by type, null for none; of this type it is not asked
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

  /** What two types reach together, if it was measured and is too little. */
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

  /** Nothing is known of a type any more. */
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
