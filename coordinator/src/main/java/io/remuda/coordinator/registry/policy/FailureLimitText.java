package io.remuda.coordinator.registry.policy;

/** What users read of an array that gives up since enough of its tasks have failed. */
public final class FailureLimitText {

  /** The cause of a task that was cancelled because one had failed. */
  public static final String AFTER_ONE = "a task failed, and --max-fails is 1";

  /** How the cause of a task ends that was cancelled because several had failed. */
  public static final String AFTER_SEVERAL = " tasks failed, as many as --max-fails allows";

  private static final String CONSEQUENCE = ": the others are cancelled";

  private FailureLimitText() {}

  /** Returns why tasks are cancelled after so many failures. */
  public static String why(int most) {
    return most == 1 ? AFTER_ONE : most + AFTER_SEVERAL;
  }

  /**
   * Returns the reason of a job: its first failure, and that the others were cancelled.
   *
   * @param why why they were; after a restart of the server this is the whole reason already
   */
  public static String reason(String firstFailure, String why) {
    return isIn(why) ? why : firstFailure + "; " + why + CONSEQUENCE;
  }

  /** Returns whether a job gave up, by its {@link #reason}; null for a job without one. */
  public static boolean isIn(String reason) {
    return reason != null
        && (reason.endsWith(AFTER_ONE + CONSEQUENCE)
            || reason.endsWith(AFTER_SEVERAL + CONSEQUENCE));
  }
}
