package io.remuda.coordinator.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Whether this member reaches the database with the state, by its own reads. Thread-safe. */
public final class DatabaseReachability {

  /** Reads come once a second; of these, a few may be late. */
  static final Duration FRESH = Duration.ofSeconds(4);

  private final LongSupplier nanoClock;
  private volatile long last;
  private volatile boolean ever;

  /**
   * @param nanoClock monotonic clock in nanoseconds
   */
  public DatabaseReachability(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A read has succeeded just now. */
  public void reached() {
    last = nanoClock.getAsLong();
    ever = true;
  }

  /** Returns why a member that does not reach the database cannot serve; empty if it does. */
  Optional<NotReadyReason> notReady() {
    return isReached()
        ? Optional.empty()
        : Optional.of(
            new NotReadyReason(
                "the database has not answered for more than " + FRESH.toSeconds() + " s"));
  }

  /** Returns whether a read has succeeded within the last four seconds. */
  public boolean isReached() {
    return ever && nanoClock.getAsLong() - last < FRESH.toNanos();
  }
}
