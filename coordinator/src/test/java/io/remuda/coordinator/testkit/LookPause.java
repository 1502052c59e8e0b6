package io.remuda.coordinator.testkit;

/**
 * The pause between two looks at a service: a tenth of the time waited so far, within bounds. Each
 * look takes processor time from the service, so a test that has waited longer looks less often.
 */
final class LookPause {
  private static final long SHORTEST_MILLIS = 20;
  private static final long LONGEST_MILLIS = 100;

  private static final int PAUSES_IN_WAIT = 10;

  private LookPause() {}

  /**
   * Sleeps.
   *
   * @param waitedNanos time since the first look
   */
  static void after(long waitedNanos) {
    long millis = waitedNanos / 1_000_000 / PAUSES_IN_WAIT;
    try {
      Thread.sleep(Math.min(LONGEST_MILLIS, Math.max(SHORTEST_MILLIS, millis)));
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }
}
