package io.remuda.coordinator.rest;

import java.time.Duration;

/**
 * How fast a body has to come: after some seconds of waiting for it, so many bytes for each further
 * second, and all of it within a time. Only time in which the server wants more counts. One thread.
 */
final class BodyPace {

  private static final double NANOS = 1e9;

  /** Before a rate says anything. */
  private static final double FIRST_SECONDS = 5;

  private final Duration deadline;
  private final long bytesPerSecond;
  private long waitedNanos;
  private long bytes;

  /**
   * Nothing has come yet.
   *
   * @param deadline for all of it
   */
  BodyPace(Duration deadline, long bytesPerSecond) {
    this.deadline = deadline;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** A part has come after it was waited for. */
  void came(int length, long nanos) {
    bytes += length;
    waitedNanos += nanos;
  }

  /** Whether it is given up after so much more waiting. */
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
