package io.remuda.coordinator.slurm;

import java.time.Duration;
import java.util.Optional;

/**
 * When a server in an allocation begins to end, and when it asks Slurm again how long that lasts: a
 * time limit can change. Times are nanoseconds of one monotonic clock. One thread.
 */
final class AllocationDeadline {

  /** Longest time between two questions. */
  static final Duration LOOK_EVERY = Duration.ofMinutes(1);

  /** Time to the next question while Slurm does not answer. */
  static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final Duration margin;
  private Long endsAt; // null without a limit

  /**
   * @param margin time before the allocation's end at which the server begins to end
   */
  AllocationDeadline(Duration margin) {
    this.margin = margin;
  }

  /** Notes what Slurm says is left; empty without a limit. */
  void learn(Optional<Duration> left, long now) {
    endsAt = left.map(time -> now + time.toNanos()).orElse(null);
  }

  /** Returns what is left as far as is known; empty without a limit. */
  Optional<Duration> left(long now) {
    return Optional.ofNullable(endsAt).map(end -> Duration.ofNanos(Math.max(0, end - now)));
  }

  /** Returns the time until the server is to end, 0 or less if it is due; empty without a limit. */
  Optional<Duration> toMargin(long now) {
    return left(now).map(time -> time.minus(margin));
  }

  /** Returns whether the server is to end now. */
  boolean isDue(long now) {
    return toMargin(now).filter(time -> time.isZero() || time.isNegative()).isPresent();
  }

  /** Returns the time until the next question. */
  Duration untilNextLook(boolean answered, long now) {
    Duration usual = answered ? LOOK_EVERY : LOOK_AGAIN;
    return toMargin(now).filter(time -> time.compareTo(usual) < 0).orElse(usual);
  }
}
