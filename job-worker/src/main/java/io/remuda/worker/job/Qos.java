package io.remuda.worker.job;

/**
 * The class of a job that stands apart from all others, as Slurm's quality of service; most jobs
 * have none.
 */
public enum Qos {
  /**
   * It fills holes: its tasks start where no other task wants the place, leave at once for any
   * other, and count neither for its user's share nor for limits.
   */
  SCAVENGER,
  /** It is for tests of minutes: it starts ahead of all others, within the bounds of the server. */
  TEST;

  private static final String OF_TESTS = " (test)";

  /**
   * Returns the name under which tasks count for limits: the user's, or one of the user's tests.
   *
   * @param rank of the job, as {@link JobTerms#rank}
   * @return null if they count for none
   */
  public static String account(int rank, String user) {
    if (fillsHoles(rank)) {
      return null;
    }
    return rank > JobTerms.TOP_PRIORITY ? user + OF_TESTS : user;
  }

  /** Returns whether an account is that of a user's tests. */
  public static boolean isOfTests(String account) {
    return account.endsWith(OF_TESTS);
  }

  /** Returns whether a job of this rank is a scavenger. */
  public static boolean fillsHoles(int rank) {
    return rank < -JobTerms.TOP_PRIORITY;
  }
}
