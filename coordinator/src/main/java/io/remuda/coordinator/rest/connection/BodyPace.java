package io.remuda.coordinator.rest.connection;

import java.time.Duration;

/**
 * Checks that a body arrives fast enough: after the first seconds at a minimum rate, and completely
 * before a deadline. Only time in which the server waits for data counts. Single-threaded.
 */
final class BodyPace {

  private static final double NANOS = 1e9;

  /** The minimum rate applies after this time. */
  private static final double FIRST_SECONDS = 5;

  private final Duration deadline;
  private final long bytesPerSecond;
  private long waitedNanos;
  private long bytes;

  /**
   * @param deadline maximum time for the whole body
   * @param bytesPerSecond minimum rate
   */
  BodyPace(Duration deadline, long bytesPerSecond) {
    this.deadline = deadline;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Adds a part that arrived after a wait. */
  void came(int length, long nanos) {
    bytes += length;
    waitedNanos += nanos;
  }

  /** Returns whether the body is too slow after a further wait of {@code nanos}. */
  boolean isTooSlow(long nanos) {
    double seconds = (waitedNanos + nanos) / NANOS;
    boolean late = seconds > deadline.toNanos() / NANOS;
    return late || bytes < (seconds - FIRST_SECONDS) * bytesPerSecond;
  }

  @Override
  public String toString() {
    return bytes
        + " bytes, and the rest comes too slowly: all of a body has to come in "
        + deadline.toSeconds()
        + " s, and at least "
        + bytesPerSecond
        + " bytes a second";
  }
}
