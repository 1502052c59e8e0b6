package io.remuda.coordinator.testkit;

/**
 * The pause between two looks at a service. Each look costs a server processor time that what is
 * waited for needs, so a test that has waited longer looks less often.
 */
final class LookPause {
  private static final long SHORTEST_MILLIS = 20;
  private static final long LONGEST_MILLIS = 100;

  /** The part of the time waited so far that a pause may add. */
  private static final int PART = 10;

  private LookPause() {}

  /**
   * Sleeps.
   *
   * @param waitedNanos time since the first look
   */
  static void after(long waitedNanos) {
    long millis = waitedNanos / 1_000_000 / PART;
    try {
      Thread.sleep(Math.min(LONGEST_MILLIS, Math.max(SHORTEST_MILLIS, millis)));
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }
}
