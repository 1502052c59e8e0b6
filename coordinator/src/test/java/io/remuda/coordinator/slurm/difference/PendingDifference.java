package io.remuda.coordinator.slurm.difference;

import java.util.function.Predicate;
import java.util.stream.Stream;

/** Faults of ours that are known and not mended yet; each has its reason. */
enum PendingDifference {
  USUAL_FILE(
      "a job without --output has no slurm-%j.out yet",
      one ->
          one.aspect().kind() == Aspect.Kind.FILE
              && one.remuda() == null
              && one.aspect().name().matches("(.*/)?slurm-\\d+(_\\d+)?\\.out")),
  NUMBER_OF_TASK(
      "%j of an array is the array's number", one -> one.isOf(Aspect.Kind.FILE, "array-and-j"));

  /** Whether a script finds an srun of ours; it would call that of a Slurm of the machine else. */
  static final boolean HAS_SRUN = false;

  private final String reason;
  private final Predicate<Difference> rule;

  PendingDifference(String reason, Predicate<Difference> rule) {
    this.reason = reason;
    this.rule = rule;
  }

  /** Returns whether any includes it. */
  static boolean include(Difference difference) {
    return Stream.of(values()).anyMatch(one -> one.rule.test(difference));
  }

  @Override
  public String toString() {
    return reason;
  }
}
